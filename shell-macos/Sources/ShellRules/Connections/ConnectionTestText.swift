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
        case .unreachable(let name, let problem):
            isReachable = false
            headline = "“\(ShownText.name(name))” can’t be reached."
            details = [ShownText.oneLine(problem)]
        case .reachable(let database):
            isReachable = true
            headline = "“\(ShownText.name(database.name))” answered in \(Int(database.latencyMilliseconds.rounded())) ms."
            let who = database.currentUser.map { " as \(ShownText.name($0))" } ?? ""
            let place = database.currentDatabase.map { ", database \(ShownText.name($0))" } ?? ""
            details = ["\(ShownText.oneLine(database.serverVersion))\(who)\(place)"] + database.warnings.map(ShownText.oneLine)
        }
    }
}
