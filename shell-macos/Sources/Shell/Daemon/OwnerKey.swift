import CryptoKit
import Foundation
import LocalAuthentication
import Security
import ShellRules

/// The key that confirms in place of the owner passphrase. This Mac's Secure Enclave signs with it
/// after it has authenticated the owner. The data that the enclave exports is useless to any other
/// Mac. It lies in the login keychain, where other programs can't read it without a prompt.
enum OwnerKey {
    private static let account = "touch-id"

    /// False without a Secure Enclave, and for an account without a password. Only the passphrase
    /// confirms then.
    static var canBeMade: Bool {
        SecureEnclave.isAvailable && LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
    }

    /// - Returns: the public key; nil if the key can't be made or kept.
    static func make() async -> String? {
        await Task.detached {
            let presence: SecAccessControlCreateFlags = [.privateKeyUsage, .userPresence]
            guard
                let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, presence, nil),
                let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: access),
                Keychain.keep(key.dataRepresentation.base64EncodedString(), account: account)
            else { return nil }
            return key.publicKey.derRepresentation.base64EncodedString()
        }.value
    }

    /// The system asks the owner in its own window.
    /// - Returns: nil if there is no key, or the owner was not authenticated.
    @Sendable static func sign(_ asked: TouchID.Asked) async -> String? {
        guard case .found(let kept) = await Keychain.item(account: account), let data = Data(base64Encoded: kept) else {
            return nil
        }
        return await Task.detached {
            let context = LAContext()
            context.localizedReason = asked.reason
            let key = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: data, authenticationContext: context)
            return try? key?.signature(for: Data(Proofs.touched(asked.challenge).utf8)).derRepresentation.base64EncodedString()
        }.value
    }
}
