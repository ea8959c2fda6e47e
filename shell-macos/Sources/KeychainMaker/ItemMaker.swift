import Foundation
import Security
import ShellRules

enum ItemMaker {
    /// - Returns: what went wrong, as a clause for the daemon's log; nil if the item now exists.
    static func make(arguments: [String], executable: URL?) -> String? {
        guard let item = ShellSecretItem(arguments: arguments) else {
            return "it makes the shell secret of one store and nothing else"
        }
        guard let executable = executable?.resolvingSymlinksInPath(), let readers = ShellSecretItem.readers(beside: executable)
        else {
            return "it is not inside Sallyport.app"
        }
        guard ShellSecretItem.isOneTeam(([executable] + readers).map(team)) else {
            return "Sallyport.app is not signed by one team"
        }
        var trusted: [SecTrustedApplication] = []
        for reader in readers {
            var application: SecTrustedApplication?
            let status = SecTrustedApplicationCreateFromPath(reader.path, &application)
            guard status == errSecSuccess, let application else { return "\(reader.lastPathComponent): \(words(status))" }
            trusted.append(application)
        }
        var access: SecAccess?
        let status = SecAccessCreate(ShellSecret.keychainService as CFString, trusted as CFArray, &access)
        guard status == errSecSuccess, let access else { return words(status) }
        return add(item, access)
    }

    /// Adds an item that does not exist yet. A caller that could replace an item could lock the app
    /// out.
    private static func add(_ item: ShellSecretItem, _ access: SecAccess) -> String? {
        var chance = SystemRandomNumberGenerator()
        let attributes: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: ShellSecret.keychainService,
            kSecAttrAccount as String: item.account,
            // The same label as the daemon's own items.
            kSecAttrLabel as String: ShellSecret.keychainService,
            kSecAttrAccess as String: access,
            kSecValueData as String: Data(ShellSecretItem.newSecret(from: &chance).utf8),
        ]
        let status = SecItemAdd(attributes as CFDictionary, nil)
        return status == errSecSuccess ? nil : words(status)
    }

    private static func team(of program: URL) -> String? {
        var code: SecStaticCode?
        guard SecStaticCodeCreateWithPath(program as CFURL, SecCSFlags(), &code) == errSecSuccess, let code else { return nil }
        var found: CFDictionary?
        let flags = SecCSFlags(rawValue: kSecCSSigningInformation)
        guard SecCodeCopySigningInformation(code, flags, &found) == errSecSuccess, let found = found as? [String: Any] else {
            return nil
        }
        return found[kSecCodeInfoTeamIdentifier as String] as? String
    }

    private static func words(_ status: OSStatus) -> String {
        SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
    }
}
