import Foundation

/// Who is connected now, as one line of Settings > Integrations, escaped.
public struct ClientRow: Equatable, Identifiable, Sendable {
    public let id: String
    /// As it calls itself, nil where it has not said: a claim, and drawn as one.
    public let claimedName: String?
    /// What stands in place of a name that was not said.
    public static let unnamed = "A client that has not said its name"
    /// How it comes in, and when it last asked for something.
    public let detail: String

    /// - Parameter shown: an instant in the reader's own time and language.
    public init(_ client: ClientView, shown: (Date) -> String) {
        id = client.id
        claimedName = client.client.map(ShownText.name)
        let token = client.token.map { " with the token “\(ShownText.name($0.name))”" } ?? ""
        let way = client.transport == .bridge ? "Through the bridge" : "Over HTTP"
        let last = Instant.date(client.lastSeen).map { ", last seen \(shown($0))" } ?? ""
        detail = "\(way)\(token)\(last)."
    }
}
