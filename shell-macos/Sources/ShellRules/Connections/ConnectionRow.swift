import Foundation

/// One saved connection in the list of Settings, escaped, with what clients may do there now.
public struct ConnectionRow: Equatable, Identifiable, Sendable {
    public let id: String
    public let name: String
    /// The place. `placeInFull` has the kind of database too.
    public let place: String
    public let placeInFull: String
    public let access: String
    public let group: String?
    public let colour: String?

    public init(_ connection: ConnectionView, at now: Date) {
        id = connection.id
        name = ShownText.name(connection.name)
        place = ConnectionRow.place(connection)
        placeInFull = "\(connection.engine.label), \(place)"
        access = ConnectionRow.access(connection, now)
        group = connection.group.map(ShownText.name)
        colour = connection.colour
    }

    private static func place(_ connection: ConnectionView) -> String {
        if let file = connection.filePath { return ShownText.oneLine(file) }
        let usual = connection.engine == .postgres ? 5_432 : 3_306
        let port = connection.port.map { $0 == usual ? "" : ":\($0)" } ?? ""
        let server = connection.socketPath ?? "\(connection.host ?? "")\(port)"
        let database = connection.database.map { "/\($0)" } ?? ""
        return ShownText.oneLine(server + database)
    }

    private static func access(_ connection: ConnectionView, _ now: Date) -> String {
        if connection.aiPolicy == .never { return localized("Hidden: AI policy Never") }
        let level = level(connection, now)
        return connection.aiPolicy == .askEachTime ? localized("\(level), asks each time") : level
    }

    private static func level(_ connection: ConnectionView, _ now: Date) -> String {
        guard connection.externalClients.level == .readWrite, let end = connection.externalClients.writeUntil.flatMap(Instant.date)
        else { return connection.externalClients.level.label }
        // The daemon told the level when it was asked. The end is checked here, so an open list
        // stays true.
        let left = Countdown(until: end, at: now)
        if left.isOver { return ExternalClientsLevel.readOnly.label }
        let minutes = (left.secondsLeft + 59) / 60
        if minutes < 120 {
            return counted(
                minutes, one: "Read & Write for \(number: minutes) more minute",
                other: "Read & Write for \(number: minutes) more minutes")
        }
        let hours = (minutes + 59) / 60
        return counted(
            hours, one: "Read & Write for \(number: hours) more hour", other: "Read & Write for \(number: hours) more hours")
    }
}
