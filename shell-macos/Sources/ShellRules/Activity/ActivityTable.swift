import Foundation

/// The Activity table (spec §14). It shows each row once, newest first, as the filters want. Rows
/// come in pages and as they are written, and both may bring the same row.
public struct ActivityTable: Equatable, Sendable {
    public struct Filter: Equatable, Sendable {
        public var category: ActivityCategory?
        public var outcome: ActivityOutcome?
        /// A token's name or id.
        public var token = ""
        public var since: Date?
        /// Searches client, connection, action and reason, and ignores case. In statements: words
        /// that all occur.
        public var search = ""

        public init() {}
    }

    public static let pageRows = 200
    /// The table drops older rows and asks for them again, so it can stay open for weeks.
    public static let mostRows = 5_000
    /// About as many as a window shows.
    static let fewRows = 25

    public private(set) var filter = Filter()
    public private(set) var isFollowing = false
    /// A sentence while the log can't be written.
    public private(set) var problem: String?
    private var known: [ActivityRow] = []
    private var older: Int?
    private var generation = 0

    public init() {}

    /// A request for one page. `generation` tells whether its answer is still wanted.
    public struct Page: Equatable, Sendable {
        public let command: Command.ActivityQuery
        let generation: Int
    }

    public mutating func firstPage() -> Page {
        generation += 1
        known = []
        older = nil
        return page(before: nil)
    }

    /// Nil if there is nothing older.
    public func nextPage() -> Page? {
        older.map { page(before: $0) }
    }

    /// - Returns: the page to ask for.
    public mutating func setFilter(_ filter: Filter) -> Page? {
        guard filter != self.filter else { return nil }
        let isNarrowerHere = asked(filter) == asked(self.filter)
        self.filter = filter
        return isNarrowerHere ? nil : firstPage()
    }

    public mutating func follow(_ isOn: Bool) {
        isFollowing = isOn
    }

    /// - Returns: the next page to ask for if this table's own filter left too few rows of this
    ///   page.
    @discardableResult
    public mutating func take(_ answer: ActivityPage, for page: Page) -> Page? {
        guard page.generation == generation else { return nil }
        problem = answer.problem.map(ShownText.oneLine)
        merge(answer.rows)
        // A page that was asked for twice leads on once.
        guard page.command.before == Change(older), answer.older != older else { return nil }
        older = answer.older
        return pageToSearch(after: answer.rows)
    }

    /// The next page if too few of those rows are shown. Nil once the table is full.
    public func pageToSearch() -> Page? { pageToSearch(after: known) }

    private func pageToSearch(after rows: [ActivityRow]) -> Page? {
        let isFilteredHere = filter.outcome != nil || !filter.search.isEmpty
        guard isFilteredHere, known.count < ActivityTable.mostRows, rows.count(where: isFound) < ActivityTable.fewRows else {
            return nil
        }
        return nextPage()
    }

    /// Takes pushed rows, oldest first. Drops them while nobody follows: the next page brings them.
    public mutating func appended(_ rows: [ActivityRow]) {
        guard isFollowing else { return }
        merge(rows.filter(isAsked))
        if known.count > ActivityTable.mostRows {
            known.removeLast(known.count - ActivityTable.mostRows)
            older = known.last?.number
        }
    }

    public func detail(of number: Int) -> ActivityDetail? { known.first { $0.number == number }.map { ActivityDetail($0) } }

    /// Newest first. The row of the outcome replaces the row of the attempt.
    public var rows: [ActivityTableRow] {
        known.filter { isAsked($0) && isFound($0) }.map { ActivityTableRow($0) }
    }

    private mutating func merge(_ rows: [ActivityRow]) {
        var byNumber = Dictionary(known.map { ($0.number, $0) }, uniquingKeysWith: { _, later in later })
        for row in rows { byNumber[row.number] = row }
        known = byNumber.values.sorted { $0.number > $1.number }
    }

    private func page(before: Int?) -> Page {
        var command = asked(filter)
        command.before = Change(before)
        return Page(command: command, generation: generation)
    }

    private func asked(_ filter: Filter) -> Command.ActivityQuery {
        Command.ActivityQuery(
            since: Change(filter.since.map(Instant.text)), category: Change(filter.category),
            token: filter.token.isEmpty ? .keep : .set(filter.token), limit: ActivityTable.pageRows)
    }

    private func isAsked(_ row: ActivityRow) -> Bool {
        if let category = filter.category, row.category != category { return false }
        if let since = filter.since, let time = Instant.date(row.time), time < since { return false }
        return filter.token.isEmpty || row.tokenName == filter.token || row.principal == filter.token
    }

    private func isFound(_ row: ActivityRow) -> Bool {
        if let outcome = filter.outcome, row.outcome != outcome { return false }
        if filter.search.isEmpty { return true }
        let texts = [row.client, row.tokenName, row.connection?.name, localized(daemons: row.what), row.why]
        return texts.contains { $0?.range(of: filter.search, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
    }
}
