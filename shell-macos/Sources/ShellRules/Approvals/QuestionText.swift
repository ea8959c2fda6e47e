/// The text of a question: facts first, then the statement as it would run, escaped (spec §12).
extension ApprovalView: AskedView {
    public static let window = Presence.Window.question

    public var title: String { titleParts.joined() }

    /// Every second part is bold.
    var titleParts: [String] {
        let (client, connection) = (ShownText.name(client), ShownText.name(connection.name))
        let title =
            switch kind {
            case .destructiveStatement: localized("“\(client)” asks to run a \(statementClass) statement on \(connection).")
            case .stopServerSession: localized("“\(client)” asks to end a session of the server on \(connection).")
            case .firstUse: localized("“\(client)” asks to use \(connection).")
            }
        return title.pieces(at: ApprovalView.bold).map(String.init)
    }

    /// Marks a bold part. Names can't have it, as it is escaped there.
    private static let bold: Unicode.Scalar = "\u{1}"

    private var statementClass: String {
        let word = statement?.class == .write ? localized("write") : localized("destructive")
        return "\(ApprovalView.bold)\(word)\(ApprovalView.bold)"
    }

    public var hasText: Bool { statement != nil }
    public var unreadSentence: String { localized("Read the statement to its end to approve it.") }

    public var approveLabel: String {
        switch kind {
        case .destructiveStatement: localized("Run Statement")
        case .stopServerSession: localized("End Session")
        case .firstUse: localized("Allow")
        }
    }

    public var denyLabel: String { kind == .firstUse ? localized("Don’t Allow") : localized("Don’t Run") }

    public func decide(_ verdict: Verdict) -> Command.ApprovalsDecide {
        Command.ApprovalsDecide(id: id, answer: verdict == .approve ? .yes : .no)
    }

    public typealias Decision = ApprovalDecision
}

public typealias QuestionSheet = AnswerSheet<ApprovalView>

extension QuestionSheet {
    public var titleParts: [String] { view.titleParts }

    /// In drawing order. The statement is below them.
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

    /// Escaped. Empty if nothing is run.
    public var statementRows: [StatementRow] { view.statement.map(StatementRow.rows) ?? [] }
}

extension AskedConnection {
    /// Marks that tell production from a sandbox. Empty if the connection has neither.
    var marks: [Fact] {
        let marks = [colour.map(ConnectionForm.label)].compactMap { $0 } + tags
        return marks.isEmpty ? [] : [.fact("Tags", marks.map(ShownText.name).joined(separator: ", "))]
    }
}

extension AskedStatement {
    /// The facts beside its text.
    var facts: [Fact] {
        [.fact("Why", why), .fact("Tables", shownTables), .fact("Length", size)]
    }

    /// In the user's language if every part has a translation. Otherwise in the daemon's words.
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
