import Foundation
import Security
import ShellRules

/// Reads one item of the login keychain. The system may ask the user first, since the daemon has
/// made the item.
enum Keychain {
    @Sendable static func item(account: String) async -> ShellSecret.KeychainItem {
        // May wait for the user: not on the main thread.
        await Task.detached { read(account) }.value
    }

    /// In the place of what is there; readable unasked by this app alone, as the keychain has it of
    /// its maker.
    static func keep(_ secret: String, account: String) -> Bool {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: ShellSecret.keychainService,
            kSecAttrAccount as String: account,
        ]
        SecItemDelete(item as CFDictionary)
        return SecItemAdd(item.merging([kSecValueData as String: Data(secret.utf8)]) { $1 } as CFDictionary, nil) == errSecSuccess
    }

    private static func read(_ account: String) -> ShellSecret.KeychainItem {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: ShellSecret.keychainService,
            kSecAttrAccount as String: account, kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecSuccess, let data = found as? Data, let secret = String(data: data, encoding: .utf8) {
            return .found(secret)
        }
        // Deny, Cancel, or a wrong password three times: not one of them is mended by asking again.
        if status == errSecUserCanceled || status == errSecAuthFailed { return .denied }
        let why = SecCopyErrorMessageString(status, nil) as String?
        return .unusable(why ?? localized("error \(String(status))"))
    }
}
