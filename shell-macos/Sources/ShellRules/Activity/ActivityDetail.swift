/// All details of one Activity row, escaped, with its statement if it was kept.
public struct ActivityDetail: Equatable, Identifiable, Sendable {
    public let id: Int
    /// In drawing order.
    public let facts: [Fact]
    /// The query that fetches its statement. Nil if it ran none, or if the statement is here
    /// already.
    public let query: Command.HistoryQuery?
    public private(set) var statement: [StatementRow] = []
    /// Why the statement is missing or cut.
    public private(set) var remark: String?
    /// A statement that AI clients may not read unasked is shown after the owner confirms it.
    public private(set) var mayAskForAll = false

    init(_ row: ActivityRow) {
        self.init(row, query: row.statementHash.map { Command.HistoryQuery(of: .init(hash: $0, time: row.time), limit: 1) })
    }

    init(_ entry: HistoryEntry) {
        self.init(entry.row, query: nil)
        show(entry)
    }

    private init(_ row: ActivityRow, query: Command.HistoryQuery?) {
        let shown = ActivityTableRow(row)
        id = row.number
        self.query = query
        let facts: [Fact?] = [
            row.action.isEmpty ? nil : .fact("What", shown.what), row.connection.map { _ in .fact("Connection", shown.on) },
            row.client.map {
                shown.isDaemonsWords ? .fact("Client", ShownText.oneLine($0)) : .claim("Client", ShownText.oneLine($0))
            },
            row.tokenName.map { name in
                .token(row.principal?.hasPrefix("bridge:") == true ? nil : name)
            }, .fact("Result", shown.result),
            shown.reason.map { .fact("Why", $0) }, row.statementHash.map { .known("SHA-256", ShownText.oneLine($0)) },
        ]
        self.facts = facts.compactMap { $0 }
    }

    /// Takes the answer to the query for its statement.
    public mutating func take(_ answer: Result<HistoryPage, ControlClient.Failure>) {
        switch answer {
        case .failure(let failure): remark = failure.isGivenUp ? remark : failure.sentence
        case .success(let page):
            mayAskForAll = page.statements.isEmpty && page.leavesOut
            if let entry = page.statements.first { return show(entry) }
            remark =
                page.leavesOut
                ? localized("AI clients may not read its statement unasked, so it is not shown unasked here either.")
                : localized("Its statement is not kept.")
        }
    }

    private mutating func show(_ entry: HistoryEntry) {
        statement = entry.statement.map { StatementRow.rows(of: ShownText.lines($0)) } ?? []
        remark =
            entry.statement == nil
            ? localized("Its statement is not kept: a password stands in it.")
            : entry.isCut ? localized("It was longer; its beginning is kept.") : nil
    }
}

extension HistoryEntry {
    /// The entry as a row of the log, with the statement on one line.
    var row: ActivityRow {
        let line = statement?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return ActivityRow(
            number: id, time: time, kind: .event, category: .query, action: "", what: line ?? localized("Not kept"),
            outcome: ActivityOutcome(rawValue: outcome.rawValue), principal: principal, tokenName: tokenName, client: client,
            connection: connection, statementHash: statementHash, rows: rows, durationMilliseconds: durationMilliseconds,
            why: outcome == .rolledBack ? localized("Rolled back") : nil, count: 1)
    }
}
