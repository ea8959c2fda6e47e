import Foundation

/// One connected client as a line of Settings > Integrations, escaped.
public struct ClientRow: Equatable, Identifiable, Sendable {
    public let id: String
    /// The client's name for itself, drawn as a claim. Nil if it gave none.
    public let claimedName: String?
    /// Stands in for a missing name.
    public static var unnamed: String { localized("A client that has not said its name") }
    /// How it connects, and when it last asked for something.
    public let detail: String

    /// - Parameter shown: formats an instant in the reader's time zone and language.
    public init(_ client: ClientView, shown: (Date) -> String) {
        id = client.id
        claimedName = client.client.map(ShownText.name)
        let way = ClientRow.way(client)
        detail = Instant.date(client.lastSeen).map { localized("\(way), last seen \(shown($0)).") } ?? localized("\(way).")
    }

    private static func way(_ client: ClientView) -> String {
        let token = client.token.map { ShownText.name($0.name) }
        if client.isBox == true, let token { return localized("As the box “\(token)”") }
        return switch (client.transport == .bridge, token) {
        case (true, let token?): localized("Through the bridge with the token “\(token)”")
        case (true, nil): localized("Through the bridge")
        case (false, let token?): localized("Over HTTP with the token “\(token)”")
        case (false, nil): localized("Over HTTP")
        }
    }
}
