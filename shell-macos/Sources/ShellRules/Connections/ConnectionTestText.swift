/// What dialling a saved connection came to, as it is read.
public struct ConnectionTestText: Equatable, Sendable {
    public let isReachable: Bool
    public let headline: String
    /// Sentences, escaped.
    public let details: [String]

    /// Beside the editor's button.
    public var sentence: String { ([headline] + details).joined(separator: " ") }
    /// Under the headline of an alert.
    public var lines: String { details.joined(separator: "\n") }

    public init(_ result: ConnectionTestResult) {
        switch result {
        case .notReachable(let name, let problem, _):
            isReachable = false
            headline = localized("“\(ShownText.name(name))” can’t be reached.")
            details = [ShownText.oneLine(problem)]
        case .reachable(let database):
            isReachable = true
            headline = localized(
                "“\(ShownText.name(database.name))” answered in \(Spans.short(milliseconds: database.latencyMilliseconds)).")
            details = [ConnectionTestText.server(database)] + database.warnings.map(ShownText.oneLine)
        }
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
