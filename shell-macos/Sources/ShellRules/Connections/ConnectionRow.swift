import Foundation

/// One saved connection in the list of Settings: escaped, and with what clients may do there at this moment.
public struct ConnectionRow: Equatable, Identifiable, Sendable {
    public let id: String
    public let name: String
    public let place: String
    public let access: String
    public let group: String?
    public let colour: String?

    public init(_ connection: ConnectionView, at now: Date) {
        id = connection.id
        name = ShownText.name(connection.name)
        place = ConnectionRow.place(connection)
        access = ConnectionRow.access(connection, now)
        group = connection.group.map(ShownText.name)
        colour = connection.colour
    }

    private static func place(_ connection: ConnectionView) -> String {
        if let file = connection.filePath { return ShownText.oneLine(file) }
        let server = connection.socketPath ?? "\(connection.host ?? ""):\(connection.port ?? 0)"
        let database = connection.database.map { "/\($0)" } ?? ""
        return "\(connection.engine.label), \(ShownText.oneLine(server + database))"
    }

    private static func access(_ connection: ConnectionView, _ now: Date) -> String {
        if connection.aiPolicy == .never { return "Hidden: AI policy Never" }
        let asks = connection.aiPolicy == .askEachTime ? ", asks each time" : ""
        guard connection.externalClients.level == .readWrite, let end = connection.externalClients.writeUntil.flatMap(Instant.date)
        else { return connection.externalClients.level.label + asks }
        // The daemon said what held when it was asked; the end is judged here, so that a list that stands open tells no lie.
        let left = Countdown(until: end, at: now)
        if left.isOver { return ExternalClientsLevel.readOnly.label + asks }
        let minutes = (left.secondsLeft + 59) / 60
        let words = minutes < 120 ? Counted.words(minutes, "more minute") : Counted.words((minutes + 59) / 60, "more hour")
        return "\(ExternalClientsLevel.readWrite.label) for \(words)\(asks)"
    }
}
