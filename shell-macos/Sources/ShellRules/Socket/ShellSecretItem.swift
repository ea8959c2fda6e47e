import Foundation

/// The shell secret as `sallyport-keychain` puts it into the login keychain (spec §1). Only the app
/// and the daemon's executable can read it without a question. Any program of this user may start
/// `sallyport-keychain`, so its caller chooses only the store.
public struct ShellSecretItem: Equatable, Sendable {
    /// The beginning of each secret that was made for the keychain
    /// (`daemon/access/privilege-increases/owner-app.ts`).
    public static let mark = "keychain."

    public let account: String

    /// - Returns: nil unless the argument is the shell secret of one store. No other item may get
    ///   this access list.
    public init?(arguments: [String]) {
        guard arguments.count == 1, let account = arguments.first else { return nil }
        let parts = account.components(separatedBy: "/")
        guard parts.count == 3, parts[1...] == ["shell", "secret"], let store = UUID(uuidString: parts[0]),
            store.uuidString.lowercased() == parts[0]
        else { return nil }
        self.account = account
    }

    /// Made here and told nobody: a caller could plant a secret of its own choice.
    public static func newSecret(from chance: inout some RandomNumberGenerator) -> String {
        mark + Proofs.newNonce(from: &chance)
    }

    /// The programs that may read it without a question: the app, by its bundle, and the daemon.
    /// - Parameter executable: `sallyport-keychain` itself, with links resolved. It is not among
    ///   them.
    /// - Returns: nil if it is not inside an app.
    public static func readers(beside executable: URL) -> [URL]? {
        let helpers = executable.deletingLastPathComponent()
        let app = helpers.deletingLastPathComponent().deletingLastPathComponent()
        guard helpers.path == app.path + "/Contents/Helpers", app.pathExtension == "app" else { return nil }
        return [app, app.appendingPathComponent("Contents/MacOS").appendingPathComponent("sallyportd")]
    }

    /// - Parameter teams: the signing teams of the maker and of each reader, nil for none. An item
    ///   belongs to its maker's team. If the maker is signed ad hoc, it belongs to that one build
    ///   (securityd's `partitionIdForProcess`), and not even the daemon could read it unasked.
    public static func isOneTeam(_ teams: [String?]) -> Bool {
        guard let first = teams.first, first?.isEmpty == false else { return false }
        return teams.allSatisfy { $0 == first }
    }
}
