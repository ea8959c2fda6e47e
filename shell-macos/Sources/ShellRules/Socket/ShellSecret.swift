import Foundation

/// Finds the secret that proves this shell, in the one place where the home keeps its secrets (spec
/// §1). Changes nothing.
public enum ShellSecret: Equatable, Sendable {
    case found(String)
    /// No daemon has made a secret in this home yet.
    case absent
    /// A sentence.
    case unusable(String)
    /// The person was asked, and denied.
    case denied

    public enum KeychainItem: Equatable, Sendable {
        case found(String)
        /// The person was asked, and denied.
        case denied
        /// Completes "The keychain can't be read: …".
        case unusable(String)
    }

    /// The service name of every item.
    public static let keychainService = "Sallyport"

    /// Never looks in the other place: if the keychain has the secrets, a secrets file was planted.
    /// - Parameter keychain: reads an account's item. macOS may open a window.
    public static func find(
        in locations: Locations, keychain: @Sendable (_ account: String) async -> KeychainItem
    ) async -> ShellSecret {
        switch PrivateFiles.read(locations.storeRecord, maxBytes: 4_096) {
        case .absent: return .absent
        case .untrusted(let problem): return .unusable(localized("Where the secrets are can't be read: \(problem)."))
        case .read(let text):
            guard let record = try? JSONText.decode(StoreRecord.self, from: text), record.version == 1,
                UUID(uuidString: record.store) != nil
            else {
                return .unusable(
                    localized(
                        "Where the secrets are can't be read: \(locations.storeRecord) is not in the form this Sallyport knows; update it, then restart it."
                    )
                )
            }
            if record.secrets == .file { return inFile(locations.secrets) }
            return inKeychain(await keychain("\(record.store)/shell/secret"))
        }
    }

    private static func inKeychain(_ item: KeychainItem) -> ShellSecret {
        switch item {
        case .found(let secret): .found(secret)
        case .denied: .denied
        case .unusable(let why):
            .unusable(
                localized(
                    "The secrets of this Sallyport are in the keychain, which can't be read: \(why). Unlock it, then try again."))
        }
    }

    private static func inFile(_ path: String) -> ShellSecret {
        switch PrivateFiles.read(path, maxBytes: 64 * 1024 * 1024) {
        case .absent: return .absent
        case .untrusted(let problem): return .unusable(localized("The secrets can't be read: \(problem)."))
        case .read(let text):
            guard let file = try? JSONText.decode(SecretsFile.self, from: text), file.version == 1 else {
                return .unusable(localized("\(path) is not in the form this version of Sallyport knows; update or restore it."))
            }
            guard let secret = file.secrets["shell/secret"], !secret.isEmpty else { return .absent }
            return .found(secret)
        }
    }

    private struct StoreRecord: Decodable {
        let version: Int
        let store: String
        let secrets: SecretPlace
    }

    private struct SecretsFile: Decodable {
        let version: Int
        let secrets: [String: String]
    }
}
