import Foundation

/// The kept statements (spec §14), newest first, a page at a time.
public struct HistoryTable: Equatable, Sendable {
    private var entries: [HistoryEntry] = []
    private var asked = Command.HistoryQuery(limit: ActivityTable.pageRows)
    private var older: Int?
    /// Why statements are missing.
    public private(set) var remark: String?

    public init() {}

    public var rows: [ActivityTableRow] { entries.map { ActivityTableRow($0.row) } }

    public func detail(of id: Int) -> ActivityDetail? { entries.first { $0.id == id }.map { ActivityDetail($0) } }

    public mutating func firstPage(_ filter: ActivityTable.Filter) -> Command.HistoryQuery {
        asked.search = filter.search.isEmpty ? .keep : .set(filter.search)
        asked.since = Change(filter.since.map(Instant.text))
        (entries, older) = ([], nil)
        return asked
    }

    /// Nil if there is nothing older.
    public func nextPage() -> Command.HistoryQuery? {
        older.map { id in
            var page = asked
            page.before = .set(id)
            return page
        }
    }

    public mutating func take(_ page: HistoryPage, for query: Command.HistoryQuery) {
        // The answer is outdated, or its page is here already.
        guard query == asked && entries.isEmpty || query == nextPage() else { return }
        entries += page.statements
        older = page.older ?? (page.statements.count < query.limit ? nil : page.statements.last?.id)
        remark =
            !page.kept
            ? localized("Statements are not kept: the history is switched off.")
            : page.leavesOut ? localized("Those on connections that AI clients may not read unasked are left out.") : nil
    }
}
