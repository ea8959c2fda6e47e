/// The result of a connection test, as text.
public struct ConnectionTestText: Equatable, Sendable {
    public let isReachable: Bool
    public let headline: String
    /// Sentences, escaped.
    public let details: [String]
    /// The fingerprint of an unknown SSH server. If the person approves it, the test runs again
    /// with it.
    public let hostKey: String?

    /// Beside the editor's button.
    public var sentence: String { ([headline] + details).joined(separator: " ") }
    /// Under the headline of an alert.
    public var lines: String { details.joined(separator: "\n") }

    public init(_ result: ConnectionTestResult) {
        switch result {
        case .notReachable(let name, _, let problem, let key):
            isReachable = false
            headline = localized("“\(ShownText.name(name))” can’t be reached.")
            details = [key.map(ConnectionTestText.question) ?? ShownText.oneLine(problem)]
            hostKey = key?.fingerprint
        case .reachable(let database):
            isReachable = true
            hostKey = nil
            headline = localized(
                "“\(ShownText.name(database.name))” answered in \(Spans.short(milliseconds: database.latencyMilliseconds)).")
            details = [ConnectionTestText.server(database)] + database.warnings.map(ShownText.oneLine)
        }
    }

    private static func question(_ key: HostKey) -> String {
        localized(
            "The SSH server \(ShownText.oneLine(key.host)) is not known yet. Its \(ShownText.oneLine(key.type)) host key has the fingerprint \(ShownText.oneLine(key.fingerprint)). Compare it with what the server’s administrator says."
        )
    }

    private static func server(_ database: ReachableDatabase) -> String {
        let version = ShownText.oneLine(database.serverVersion)
        return switch (database.currentUser.map(ShownText.name), database.currentDatabase.map(ShownText.name)) {
        case (let user?, let name?): localized("\(version) as \(user), database \(name)")
        case (let user?, nil): localized("\(version) as \(user)")
        case (nil, let name?): localized("\(version), database \(name)")
        case (nil, nil): version
        }
    }
}
