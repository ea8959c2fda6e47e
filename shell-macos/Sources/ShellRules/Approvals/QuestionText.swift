/// What a question says: facts above, then the statement as it would be run, escaped (SPEC §12).
extension QuestionSheet {
    public var title: String {
        "“\(ShownText.name(view.client))” asks to \(asksTo)."
    }

    public var asksTo: String {
        switch view.kind {
        case .destructiveStatement: "run a \(ShownText.name(view.statement?.class ?? "destructive")) statement"
        case .stopServerSession: "end a session of the server"
        case .firstUse: "use this connection"
        }
    }

    /// In the order to be drawn. The statement stands below them.
    public var facts: [Fact] {
        var facts: [Fact] = [
            .fact("Connection", ShownText.name(view.connection.name)),
            .claim("Client", ShownText.name(view.client)),
            .fact("Token", view.token.map(ShownText.name) ?? "None: it asks through the stdio bridge"),
        ]
        guard let statement = view.statement else {
            return view.kind == .firstUse ? facts + [.fact("Why", "The policy of this connection is to ask.")] : facts
        }
        facts += [
            .fact("Why", ShownText.oneLine(statement.reason)),
            .fact("Tables", QuestionSheet.tables(statement.tables)),
            .fact("Length", QuestionSheet.size(statement)),
        ]
        return facts
    }

    /// Escaped, lines kept; nil where nothing is run.
    public var statement: String? {
        view.statement.map { ShownText.lines($0.text) }
    }

    public var approveLabel: String {
        switch view.kind {
        case .destructiveStatement: "Run Statement"
        case .stopServerSession: "End Session"
        case .firstUse: "Allow"
        }
    }

    public var denyLabel: String {
        view.kind == .firstUse ? "Don’t Allow" : "Don’t Run"
    }

    /// The sentence under the buttons; nil while there is none.
    public func remark(at now: Moment) -> String? {
        if let ending = deciding.ending { return QuestionSheet.sentence(for: ending) }
        if let problem = deciding.problem { return ShownText.oneLine(problem) }
        return endWasShown ? nil : approveButton(at: now).reason
    }

    private static let mostTables = 20

    private static func tables(_ tables: [String]) -> String {
        if tables.isEmpty { return "None named" }
        let shown = tables.prefix(mostTables).map(ShownText.name).joined(separator: ", ")
        return tables.count > mostTables ? "\(shown) and \(tables.count - mostTables) more" : shown
    }

    private static func size(_ statement: AskedStatement) -> String {
        "\(Counted.words(statement.characters, "character")), \(Counted.words(statement.lines, "line"))"
    }
}
