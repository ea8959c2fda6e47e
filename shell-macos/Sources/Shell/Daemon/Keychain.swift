import Foundation
import Security
import ShellRules

/// Reads and keeps items of the login keychain. The system may ask the user first, because the
/// daemon made the item.
enum Keychain {
    @Sendable static func item(account: String) async -> ShellSecret.KeychainItem {
        // The read may wait for the user, so it leaves the main thread.
        await Task.detached { read(account) }.value
    }

    /// Replaces the item. This app alone can read it without a prompt, because the keychain trusts
    /// the program that made an item.
    static func keep(_ secret: String, account: String) -> Bool {
        var item = attributes(account)
        SecItemDelete(item as CFDictionary)
        item[kSecValueData as String] = Data(secret.utf8)
        return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
    }

    private static func attributes(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: ShellSecret.keychainService,
            kSecAttrAccount as String: account,
        ]
    }

    private static func read(_ account: String) -> ShellSecret.KeychainItem {
        let query = attributes(account).merging([kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitOne]) {
            $1
        }
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecSuccess, let data = found as? Data, let secret = String(data: data, encoding: .utf8) {
            return .found(secret)
        }
        // Deny, Cancel, or a wrong password three times: a second request would change none of
        // them.
        if status == errSecUserCanceled || status == errSecAuthFailed { return .denied }
        let why = SecCopyErrorMessageString(status, nil) as String?
        return .unusable(why ?? localized("error \(String(status))"))
    }
}
