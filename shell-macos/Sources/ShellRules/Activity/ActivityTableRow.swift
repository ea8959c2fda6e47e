import Foundation

/// One row of the Activity table, escaped (spec §14).
public struct ActivityTableRow: Equatable, Identifiable, Sendable {
    public enum Weight: Equatable, Sendable {
        case plain, warning, refusal
    }

    public let id: Int
    public let time: Date?
    /// The name alone if a program changed something. The daemon says more about it than a column
    /// holds.
    public let who: String
    /// The same with all details.
    public let whoInFull: String
    public let what: String
    public let on: String
    public let result: String
    public let reason: String?
    public let weight: Weight
    /// True for the daemon's own words, such as
    /// `sallyport (process 42, started by bash) on /dev/pts/3`. A client's name is a claim.
    let isDaemonsWords: Bool

    public init(_ row: ActivityRow) {
        id = row.number
        time = Instant.date(row.time)
        let name = ActivityTableRow.who(row)
        isDaemonsWords = row.tokenName == nil && (row.category == .admin || (row.category == .access && row.action == "increase"))
        who = ShownText.name(isDaemonsWords ? ActivityTableRow.program(name) : name)
        whoInFull = ShownText.oneLine(name)
        what = ShownText.name(localized(daemons: row.what))
        on = ShownText.name(row.connection?.name ?? "")
        result = ActivityTableRow.result(row)
        reason = row.why.map(ShownText.oneLine)
        switch (row.outcome, row.fate) {
        case (.denied, _), (.error, _): weight = .refusal
        case (.rateLimited, _), (.unknown, _), (_, .unknown): weight = .warning
        default: weight = .plain
        }
    }

    /// The result and its reason on one line.
    public var resultLine: String { reason.map { localized("\(result): \($0)") } ?? result }

    /// The bridge's token names nobody. Its client says its own name.
    private static func who(_ row: ActivityRow) -> String {
        if row.principal?.hasPrefix("bridge:") == true { return row.client ?? "" }
        return row.tokenName ?? row.client ?? ""
    }

    private static func program(_ words: String) -> String {
        words.range(of: " (").map { String(words[..<$0.lowerBound]) } ?? words
    }

    private static func result(_ row: ActivityRow) -> String {
        switch row.fate {
        case .settled: return localized("Attempted")
        case .running: return localized("Running")
        case .unknown: return ActivityOutcome.unknown.label
        case nil: break
        }
        let parts = [
            row.outcome?.label,
            row.rows.map { rows in counted(rows, one: "\(number: rows) row", other: "\(number: rows) rows") },
            row.durationMilliseconds.map(Spans.short),
            row.count > 1 ? counted(row.count, one: "\(number: row.count) time", other: "\(number: row.count) times") : nil,
        ]
        return listed(parts.compactMap { $0 })
    }
}

/// The result of verifying the log, in sentences.
public struct VerificationReport: Equatable, Sendable {
    public let isIntact: Bool
    public let headline: String
    public let findings: [String]
    public let notes: [String]
    /// What no verification can find.
    public let limits: [String]

    public init(_ verification: ActivityVerification) {
        isIntact = verification.intact
        let rows = verification.rowsChecked
        headline =
            verification.intact
            ? counted(
                rows, one: "The activity log is intact: \(number: rows) row checked.",
                other: "The activity log is intact: \(number: rows) rows checked.")
            : counted(
                rows, one: "The activity log is not as it was written; \(number: rows) row checked.",
                other: "The activity log is not as it was written; \(number: rows) rows checked.")
        findings = verification.findings.map { ShownText.oneLine($0.sentence) }
        notes = verification.notes.map(ShownText.oneLine)
        limits = verification.limits.map(ShownText.oneLine)
    }
}
