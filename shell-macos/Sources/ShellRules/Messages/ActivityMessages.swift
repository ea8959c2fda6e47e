/// Rows of the activity log and what verifying it found (spec §14). What others wrote stands as they wrote it.

public enum ActivityCategory: String, Codable, CaseIterable, Sendable {
    case auth, access, admin, query, tool, resource
}

public enum ActivityOutcome: String, Codable, CaseIterable, Sendable {
    case success, denied, error, unknown
    case rateLimited = "rate_limited"
}

public enum ActivityKind: String, Codable, Sendable {
    case event, attempt, outcome
}

/// Of an attempt to write: `unknown` where the daemon died before it knew.
public enum AttemptFate: String, Codable, Sendable {
    case settled, running, unknown
}

public struct ActivityRow: Codable, Equatable, Identifiable, Sendable {
    public var number: Int
    public var time: String
    public var kind: ActivityKind
    public var category: ActivityCategory
    public var action: String
    /// Nil on an attempt.
    @OrNull public var outcome: ActivityOutcome?
    @OrNull public var fate: AttemptFate?
    /// On an outcome: the number of its attempt.
    @OrNull public var attempt: Int?
    @OrNull public var principal: String?
    @OrNull public var tokenName: String?
    @OrNull public var client: String?
    @OrNull public var connection: NamedConnection?
    @OrNull public var statementHash: String?
    @OrNull public var rows: Int?
    @OrNull public var durationMilliseconds: Double?
    @OrNull public var reason: String?
    @OrNull public var requestId: String?
    /// How often, where one row stands for several.
    public var count: Int

    public var id: Int { number }
}

public struct ActivityPage: Codable, Equatable, Sendable {
    /// Newest first.
    public var rows: [ActivityRow]
    /// `before` of the next page; nil where nothing older matches.
    @OrNull public var older: Int?
    /// `after` of a later look; nil on an empty page.
    @OrNull public var newest: Int?
    /// A sentence while the log can't be written.
    @OrNull public var problem: String?
}

/// A statement that was kept, as its client sent it.
public struct HistoryEntry: Codable, Equatable, Identifiable, Sendable {
    public var id: Int
    public var time: String
    public var connection: NamedConnection
    public var principal: String
    public var tokenName: String
    @OrNull public var client: String?
    public var `class`: String
    public var outcome: ActivityOutcome
    @OrNull public var rows: Int?
    @OrNull public var durationMilliseconds: Double?
    public var statementHash: String
    /// Nil where it had a password in it.
    @OrNull public var statement: String?
    public var isCut: Bool
}

public struct HistoryPage: Codable, Equatable, Sendable {
    public var statements: [HistoryEntry]
    /// `before` of the next page, where not all fitted into one.
    @OrNull public var older: Int?
    public var kept: Bool
    /// Statements on connections that clients see nothing of, or on removed ones, are not among these.
    public var leavesOut: Bool
}

public struct ActivityVerification: Codable, Equatable, Sendable {
    public var intact: Bool
    public var rowsChecked: Int
    public var checkedAfter: Int
    public var lastNumber: Int
    public var findings: [ActivityFinding]
    /// What happened that is no fault.
    public var notes: [String]
    /// What no verification can see.
    public var limits: [String]
}

public struct ActivityFinding: Codable, Equatable, Sendable {
    public var kind: String
    @OrNull public var from: Int?
    @OrNull public var to: Int?
    public var sentence: String
}
