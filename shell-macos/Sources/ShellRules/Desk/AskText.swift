/// The text of what waits (spec §10 to §12), escaped: who asks for what, the facts in drawing
/// order, and the statement as it would run.
extension AskView {
    /// A notification shows it on the lock screen, so it holds no statement, table or value.
    public var title: String { titleParts.joined() }

    /// Every second part is bold.
    var titleParts: [String] {
        let (client, connection) = (ShownText.name(client), ShownText.name(connection?.name ?? ""))
        let title =
            switch kind {
            case .pairing: localized("Pair this client with Sallyport?")
            case .increase: localized("A program on this Mac asks to give AI clients more access.")
            case _ where !waits: localized("“\(client)” was refused on \(connection), and you may allow it.")
            case .statement: localized("“\(client)” asks to run a \(statementClass) statement on \(connection).")
            case .stopSession: localized("“\(client)” asks to end a session of the server on \(connection).")
            case .firstUse, .hostKey: localized("“\(client)” asks to use \(connection).")
            }
        return title.pieces(at: AskView.bold).map(String.init)
    }

    /// Marks a bold part. Names can't have it, as it is escaped there.
    private static let bold: Unicode.Scalar = "\u{1}"

    private var statementClass: String {
        let word = statement?.askedStatement.class == .write ? localized("write") : localized("destructive")
        return "\(AskView.bold)\(word)\(AskView.bold)"
    }

    /// In the list: its statement on one line, or another wish.
    var line: String {
        let text = statement?.askedStatement.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.map(ShownText.name) ?? (connection == nil ? title : localized("Use this connection"))
    }

    /// Its rows are not counted. The daemon takes no yes to it.
    var isUncounted: Bool { !waits && !answers.contains(where: \.isYes) }

    /// But for how often it was asked.
    func isSame(as other: AskView) -> Bool {
        var view = other
        view.times = times
        return view == self
    }

    /// In drawing order. The statement is below them.
    public var facts: [Fact] {
        let name = ShownText.name(client)
        if let increase { return increase.facts.shown + [.claim("Asked by", name)] }
        if let pairing { return [.claim("Calls itself", name)] + PairingChoices(pairing).facts }
        var facts: [Fact] = []
        if let connection { facts += [.fact("Connection", ShownText.name(connection.name))] + connection.marks }
        facts.append(.claim("Client", name))
        if !waits { facts.append(.fact("Started by", program.map(ShownText.oneLine) ?? localized("Unknown"))) }
        facts.append(.token(token, isBox: isBox))
        if let lacks { facts.append(.fact("Refused", lacks.sentence)) }
        if kind == .firstUse, lacks == nil { facts.append(.fact("Why", MissingAccess.firstUse.sentence)) }
        if !waits { facts.append(.fact("Asked", AskSheet.label(ofTimes: times))) }
        if let means { facts.append(.fact("If approved", ShownText.oneLine(means))) }
        guard let statement else { return facts }
        let context = statement.statementContext
        facts += statement.askedStatement.facts
        if let database = context.database { facts.append(.fact("Database", ShownText.oneLine(database))) }
        if let schema = context.schema { facts.append(.fact("Schema", ShownText.oneLine(schema))) }
        return facts + context.parameters.enumerated().map { .fact("Value \(String($0 + 1))", ShownText.oneLine($1)) }
    }

    /// Escaped. Empty if nothing is run.
    public var statementRows: [StatementRow] { statement.map { StatementRow.rows(of: $0.askedStatement) } ?? [] }
}

extension AskSheet {
    /// Every second part is bold.
    public var titleParts: [String] { views.count == 1 ? views[0].titleParts : [DeskList.refusedTitle] }

    /// What would happen, below the title. Nil if the text says it.
    public var sentence: String? { views[0].increase.map { ShownText.oneLine($0.sentence) } }

    public var advice: String? {
        views[0].increase.map { _ in
            localized("Allow it only if you have just asked for this yourself, for example in a terminal.")
        }
    }
}

extension DeskList {
    static var refusedTitle: String { localized("This was refused, and you may allow it.") }

    /// While nothing is chosen.
    public var title: String { asks.isEmpty ? localized("Nothing waits for your answer.") : DeskList.refusedTitle }
    /// The same.
    public var remark: String? { outcome ?? (asks.isEmpty ? nil : localized("Choose one or several to answer them.")) }
    /// The same.
    public var leave: [Choice<Event>] {
        [Choice(asks.isEmpty ? localized("Close") : localized("Leave Waiting"), .left, keys: [.returnKey, .escape])]
    }

    public struct Row: Equatable, Identifiable, Sendable {
        public let id: String
        public let title: String
        public let detail: String
        public let isChosen: Bool
        /// It takes no answer any more.
        public let isOver: Bool
    }

    public var rows: [Row] {
        listed.enumerated().map { at, ask in
            let client = ShownText.name(ask.client)
            let who = ask.connection.map { localized("\(ShownText.name($0.name)), \(client)") } ?? client
            let isChosen = sheet?.ids.contains(ask.id) == true
            let isOver = !asks.contains { $0.id == ask.id }
            return Row(
                id: ask.id, title: localized("\(String(at + 1)). \(who)"), detail: ask.line, isChosen: isChosen, isOver: isOver)
        }
    }

    /// Several requests may be chosen together.
    public var mayChooseAll: Bool { requests.count > 1 }
    public var areAllChosen: Bool { requests.allSatisfy { sheet?.ids.contains($0.id) == true } }
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

extension AskedConnection {
    /// Marks that tell production from a sandbox. Empty if the connection has neither.
    var marks: [Fact] {
        let marks = [colour.map(ConnectionForm.label)].compactMap { $0 } + tags
        return marks.isEmpty ? [] : [.fact("Tags", marks.map(ShownText.name).joined(separator: ", "))]
    }
}

extension AskedStatement {
    /// The facts beside its text.
    fileprivate var facts: [Fact] {
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
        let several = statements.map { [counted($0, one: "\(number: $0) statement", other: "\(number: $0) statements")] } ?? []
        return listed(
            several + [
                counted(characters, one: "\(number: characters) character", other: "\(number: characters) characters"),
                counted(lines, one: "\(number: lines) line", other: "\(number: lines) lines"),
            ])
    }
}
