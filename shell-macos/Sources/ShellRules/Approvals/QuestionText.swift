/// What a question says: facts above, then the statement as it would be run, escaped (spec §12).
extension QuestionSheet {
    public var title: String {
        let client = ShownText.name(view.client)
        return switch view.kind {
        case .destructiveStatement: localized("“\(client)” asks to run a \(statementClass) statement.")
        case .stopServerSession: localized("“\(client)” asks to end a session of the server.")
        case .firstUse: localized("“\(client)” asks to use this connection.")
        }
    }

    /// Never the statement: a notification stands on the lock screen.
    var notice: String {
        let (client, connection) = (ShownText.name(view.client), ShownText.name(view.connection.name))
        return switch view.kind {
        case .destructiveStatement: localized("“\(client)” asks to run a \(statementClass) statement on \(connection).")
        case .stopServerSession: localized("“\(client)” asks to end a session of the server on \(connection).")
        case .firstUse: localized("“\(client)” asks to use \(connection).")
        }
    }

    /// The daemon's word, in the sentence.
    private var statementClass: String {
        let word = view.statement?.class ?? "destructive"
        return QuestionSheet.classes[word].map(localized) ?? ShownText.name(word)
    }

    private static let classes: [String: Wording] = ["destructive": "destructive", "write": "write"]

    /// In the order to be drawn. The statement stands below them.
    public var facts: [Fact] {
        var facts: [Fact] = [
            .fact("Connection", ShownText.name(view.connection.name)),
            .claim("Client", ShownText.name(view.client)),
            .fact("Token", view.token.map(ShownText.name) ?? localized("None: it asks through the stdio bridge")),
        ]
        facts.insert(contentsOf: view.connection.marks, at: 1)
        guard let statement = view.statement else {
            let access = Fact.fact("Access", ShownText.oneLine(view.means))
            return view.kind == .firstUse
                ? facts + [access, .fact("Why", localized("This connection’s AI policy is Ask Each Time."))] : facts
        }
        return facts + statement.facts
    }

    /// Escaped; none where nothing is run.
    public var statementRows: [StatementRow] { view.statement.map(StatementRow.rows) ?? [] }

    public var approveLabel: String {
        switch view.kind {
        case .destructiveStatement: localized("Run Statement")
        case .stopServerSession: localized("End Session")
        case .firstUse: localized("Allow")
        }
    }

    public var denyLabel: String {
        view.kind == .firstUse ? localized("Don’t Allow") : localized("Don’t Run")
    }

    /// The sentence under the buttons; nil while there is none.
    public func remark(at now: Moment) -> String? {
        if let ending = deciding.ending { return QuestionSheet.sentence(for: ending) }
        if let problem = deciding.problem { return ShownText.oneLine(problem) }
        return endWasShown ? nil : approveButton(at: now).reason
    }
}

extension AskedConnection {
    /// What tells production from a sandbox; none where it has neither.
    var marks: [Fact] {
        let marks = [colour].compactMap { $0 } + tags
        return marks.isEmpty ? [] : [.fact("Tags", marks.map(ShownText.name).joined(separator: ", "))]
    }
}

extension AskedStatement {
    /// Beside the text itself.
    var facts: [Fact] {
        [.fact("Why", ShownText.oneLine(reason)), .fact("Tables", shownTables), .fact("Length", size)]
    }

    private static let mostTables = 20

    private var shownTables: String {
        if tables.isEmpty { return localized("None") }
        let most = AskedStatement.mostTables
        let shown = tables.prefix(most).map(ShownText.name).joined(separator: ", ")
        return tables.count > most ? localized("\(shown) and \(number: tables.count - most) more") : shown
    }

    private var size: String {
        listed([
            counted(characters, one: "\(number: characters) character", other: "\(number: characters) characters"),
            counted(lines, one: "\(number: lines) line", other: "\(number: lines) lines"),
        ])
    }
}
