/// The text of a request: one line in the list, and all of it below, as it will run, escaped (spec
/// §12).
extension RequestList {
    public struct Row: Equatable, Identifiable, Sendable {
        public let id: String
        public let title: String
        /// The statement on one line, or another wish.
        public let detail: String
        public let isChosen: Bool
    }

    /// In points. Its row of buttons is longer than a question's, most of all in German.
    public static let windowWidth = 700.0

    public var title: String {
        requests.isEmpty
            ? localized("Nothing waits for your answer.") : localized("AI clients were refused this, and you may allow it.")
    }

    public var rows: [Row] {
        requests.enumerated().map { at, request in
            let who = listed([ShownText.name(request.connection.name), ShownText.name(request.client)])
            let text = request.statement?.askedStatement.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return Row(
                id: request.id, title: localized("\(String(at + 1)). \(who)"),
                detail: text.map(ShownText.name) ?? localized("Use this connection"), isChosen: chosenIds.contains(request.id))
        }
    }

    /// A single, chosen request needs no list.
    public var hasRows: Bool { requests.count > 1 || (chosen.isEmpty && !requests.isEmpty) }

    public var areAllChosen: Bool { chosenIds.count == requests.count }
}

extension AccessRequestView {
    /// In drawing order. The statement is below them.
    public var facts: [Fact] {
        var facts: [Fact] = [.fact("Connection", ShownText.name(connection.name))] + connection.marks
        facts += [
            .claim("Client", ShownText.name(client)),
            .fact("Started by", program.map(ShownText.oneLine) ?? localized("Unknown")),
            .token(token, isBox: isBox),
            .fact("Refused", lacks.sentence),
            .fact("Asked", counted(times, one: "\(number: times) time", other: "\(number: times) times")),
            .fact("Waits until", Instant.date(expiresAt).map(Spans.timeOfDay) ?? ShownText.oneLine(expiresAt)),
        ]
        if let means { facts.append(.fact("If approved", ShownText.oneLine(means))) }
        guard let statement else { return facts }
        facts += statement.askedStatement.facts
        let context = statement.statementContext
        if let database = context.database { facts.append(.fact("Database", ShownText.oneLine(database))) }
        if let schema = context.schema { facts.append(.fact("Schema", ShownText.oneLine(schema))) }
        return facts
            + context.parameters.enumerated().map { .fact("Value \(String($0 + 1))", ShownText.oneLine($1)) }
    }

    /// Escaped. Empty if nothing is run.
    public var statementRows: [StatementRow] { statement.map { StatementRow.rows(of: $0.askedStatement) } ?? [] }

    /// Never holds the statement or a value: a notification is on the lock screen.
    var notice: String {
        localized("“\(ShownText.name(client))” was refused on \(ShownText.name(connection.name)), and you may allow it.")
    }
}

extension MissingAccess {
    var sentence: String {
        switch self {
        case .connectionLevel: localized("The connection is read only for AI clients.")
        case .tokenScope: localized("It may only read.")
        case .yes: localized("It runs only once you approve it.")
        case .firstUse: localized("This connection’s AI policy is Ask Each Time.")
        case .hostKey: localized("Nobody has confirmed the host key of an SSH server on the way.")
        }
    }
}
