import Foundation

/// The shell secret as `sallyport-keychain` puts it into the login keychain (spec §1): readable
/// without a question by the app and by the daemon's Node, and by nothing else. Any program of this
/// user may start that program, so its caller chooses no more than the store.
public struct ShellSecretItem: Equatable, Sendable {
    /// What was made for the keychain begins so (`daemon/access/privilege-increases/owner-app.ts`).
    public static let mark = "keychain."

    public let account: String

    /// - Returns: nil unless it is asked for the shell secret of one store: under another name, an
    ///   access list as wide as ours is none of its business.
    public init?(arguments: [String]) {
        guard arguments.count == 1, let account = arguments.first else { return nil }
        let parts = account.components(separatedBy: "/")
        guard parts.count == 3, parts[1...] == ["shell", "secret"], let store = UUID(uuidString: parts[0]),
            store.uuidString.lowercased() == parts[0]
        else { return nil }
        self.account = account
    }

    /// Made up here and told nobody: a secret that the caller chose could be one that it planted.
    public static func newSecret(from chance: inout some RandomNumberGenerator) -> String {
        mark + Proofs.newNonce(from: &chance)
    }

    /// Who may read it without a question: the app, by its bundle, and the Node that the daemon
    /// runs in.
    /// - Parameter executable: `sallyport-keychain` itself, links resolved; it is not among them.
    /// - Returns: nil where it doesn't lie in an app.
    public static func readers(beside executable: URL) -> [URL]? {
        let helpers = executable.deletingLastPathComponent()
        let app = helpers.deletingLastPathComponent().deletingLastPathComponent()
        guard helpers.path == app.path + "/Contents/Helpers", app.pathExtension == "app" else { return nil }
        return [app, helpers.appendingPathComponent("sallyport-node")]
    }

    /// - Parameter teams: by whom the maker and each reader is signed, nil for nobody. An item
    ///   belongs to its maker's team, and signed ad hoc to that one build of its maker (securityd's
    ///   `partitionIdForProcess`): there not even the daemon could read it unasked.
    public static func isOneTeam(_ teams: [String?]) -> Bool {
        guard let first = teams.first, first?.isEmpty == false else { return false }
        return teams.allSatisfy { $0 == first }
    }
}
