/// What a question says: facts above, then the statement as it would be run, escaped (spec §12).
extension QuestionSheet {
    /// Never the statement: a notification, which says it too, stands on the lock screen.
    public var title: String { titleParts.joined() }

    /// Each second one in bold.
    public var titleParts: [String] {
        let (client, connection) = (ShownText.name(view.client), ShownText.name(view.connection.name))
        let title =
            switch view.kind {
            case .destructiveStatement: localized("“\(client)” asks to run a \(statementClass) statement on \(connection).")
            case .stopServerSession: localized("“\(client)” asks to end a session of the server on \(connection).")
            case .firstUse: localized("“\(client)” asks to use \(connection).")
            }
        return title.pieces(at: QuestionSheet.bold).map(String.init)
    }

    /// Around what is bold. No name has it: there it is escaped.
    private static let bold: Unicode.Scalar = "\u{1}"

    private var statementClass: String {
        let word = view.statement?.class == .write ? localized("write") : localized("destructive")
        return "\(QuestionSheet.bold)\(word)\(QuestionSheet.bold)"
    }

    /// In the order to be drawn. The statement stands below them.
    public var facts: [Fact] {
        var facts: [Fact] = [
            .fact("Connection", ShownText.name(view.connection.name)),
            .claim("Client", ShownText.name(view.client)),
            .token(view.token, isBox: view.isBox),
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
        let marks = [colour.map(ConnectionForm.label)].compactMap { $0 } + tags
        return marks.isEmpty ? [] : [.fact("Tags", marks.map(ShownText.name).joined(separator: ", "))]
    }
}

extension AskedStatement {
    /// Beside the text itself.
    var facts: [Fact] {
        [.fact("Why", why), .fact("Tables", shownTables), .fact("Length", size)]
    }

    /// In the user's language where every part of it has a text there, else as the daemon says it.
    private var why: String {
        let parts = reasonParts.compactMap { localized(code: $0.code, values: $0.values.map(ShownText.oneLine)) }
        return parts.isEmpty || parts.count < reasonParts.count ? ShownText.oneLine(reason) : parts.joined(separator: " ")
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
