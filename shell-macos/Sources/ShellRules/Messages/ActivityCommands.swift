/// Commands about the activity log, and about the history of statements.

extension Command {
    public struct QueryActivity: ControlCommand {
        public typealias Answer = ActivityPage
        public static let method = ControlMethod.queryActivity
        /// ISO 8601, included.
        public var since: String?
        public var category: ActivityCategory?
        /// A token's name or id.
        public var token: String?
        /// 1 to 1,000.
        public var limit: Int
        /// A row's number: only older, or only newer, rows. At most one of the two.
        public var before: Int?
        public var after: Int?

        public init(
            since: String? = nil, category: ActivityCategory? = nil, token: String? = nil, limit: Int,
            before: Int? = nil, after: Int? = nil
        ) {
            self.since = since
            self.category = category
            self.token = token
            self.limit = limit
            self.before = before
            self.after = after
        }
    }

    /// Statements that were kept, newest first.
    public struct QueryHistory: ControlCommand {
        public typealias Answer = HistoryPage
        public static let method = ControlMethod.queryHistory
        /// Words that all occur, or "a phrase".
        public var search: String?
        /// Id or name.
        public var connection: String?
        /// Also on connections that clients see nothing of, and on removed ones; a privilege increase.
        public var all: Bool?
        /// ISO 8601, included.
        public var since: String?
        /// 1 to 1,000.
        public var limit: Int
        /// Ids of entries: only older, or only newer ones.
        public var before: Int?
        public var after: Int?
    }

    /// Forgets the text of every statement kept; the activity log is not the history's and stays.
    public struct ClearHistory: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var removed: Int
        }
        public static let method = ControlMethod.clearHistory
        public init() {}
    }

    /// Reads the whole log.
    public struct VerifyActivity: ControlCommand {
        public typealias Answer = ActivityVerification
        public static let method = ControlMethod.verifyActivity
        public init() {}
    }

    /// From here on this shell is told of rows as they are written. Ends with its connection.
    public struct FollowActivity: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var following: Bool
        }
        public static let method = ControlMethod.followActivity
        public init() {}
    }
}
