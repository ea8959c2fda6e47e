import Foundation

/// One row of the Activity table as it is read, escaped (SPEC §14).
public struct ActivityTableRow: Equatable, Identifiable, Sendable {
    public enum Weight: Equatable, Sendable {
        case plain, warning, refusal
    }

    public let id: Int
    public let time: Date?
    public let who: String
    public let what: String
    public let on: String
    public let result: String
    public let reason: String?
    public let weight: Weight

    public init(_ row: ActivityRow) {
        id = row.number
        time = Instant.date(row.time)
        who = ShownText.name(ActivityTableRow.who(row))
        what = ShownText.name(ActivityTableRow.what(row))
        on = ShownText.name(row.connection?.name ?? "")
        result = ActivityTableRow.result(row)
        reason = row.reason.map(ShownText.oneLine)
        switch (row.outcome, row.fate) {
        case (.denied, _), (.error, _): weight = .refusal
        case (.rateLimited, _), (_, .unknown): weight = .warning
        default: weight = .plain
        }
    }

    /// The result and why, in one line.
    public var resultLine: String { reason.map { "\(result): \($0)" } ?? result }

    /// The bridge's token is nobody's: what it carries calls itself by a name.
    private static func who(_ row: ActivityRow) -> String {
        if row.principal?.hasPrefix("bridge:") == true { return row.client ?? "" }
        return row.tokenName ?? row.client ?? ""
    }

    private static func what(_ row: ActivityRow) -> String {
        switch row.category {
        case .query, .tool, .resource: "\(row.category.rawValue) \(row.action)"
        case .auth, .access, .admin: row.action
        }
    }

    private static func result(_ row: ActivityRow) -> String {
        switch row.fate {
        case .settled: return "attempted"
        case .running: return "running"
        case .unknown: return "outcome unknown"
        case nil: break
        }
        let parts = [
            row.outcome == .rateLimited ? "rate limited" : row.outcome?.rawValue,
            row.rows.map { Counted.words($0, "row") },
            row.durationMilliseconds.map(duration),
            row.count > 1 ? "\(row.count) times" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func duration(_ milliseconds: Double) -> String {
        if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
        let tenths = Int((milliseconds / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

/// What verifying the log found, in sentences.
public struct VerificationReport: Equatable, Sendable {
    public let isIntact: Bool
    public let headline: String
    public let findings: [String]
    public let notes: [String]
    /// What no verification can see.
    public let limits: [String]

    public init(_ verification: ActivityVerification) {
        isIntact = verification.intact
        let rows = Counted.words(verification.rowsChecked, "row")
        headline =
            verification.intact
            ? "The activity log is intact: \(rows) checked." : "The activity log is not as it was written; \(rows) checked."
        findings = verification.findings.map { ShownText.oneLine($0.sentence) }
        notes = verification.notes.map(ShownText.oneLine)
        limits = verification.limits.map(ShownText.oneLine)
    }
}
