/// What a client was refused and its user may allow (spec §12), and the person's answer. What others wrote stands as they wrote it:
/// whoever draws takes the escaped text of `ShownText`.

public struct AccessRequestView: Codable, Equatable, Identifiable, Sendable {
    /// Eight letters and digits.
    public var id: String
    /// As it calls itself: a claim.
    public var client: String
    /// The programs that started its bridge, outermost first; nil where that isn't known.
    @OrNull public var program: String?
    /// Nil where it asks through the stdio bridge.
    @OrNull public var token: String?
    public var connection: AskedConnection
    public var lacks: MissingAccess
    public var runsBy: RequestRunner
    /// What a yes to a first use allows and for how long, in the daemon's words; nil of a statement.
    @OrNull public var means: String?
    /// How often it was asked.
    public var times: Int
    @OrNull public var statement: RequestedStatement?
    public var askedAt: String
    public var expiresAt: String
}

/// What would have let it happen.
public enum MissingAccess: String, Codable, CaseIterable, Sendable {
    case connectionLevel = "connection_level"
    case tokenScope = "token_scope"
    /// The person's yes.
    case yes
    case firstUse = "first_use"
}

/// Who runs it once it is allowed: the client, which sends it again, or the person, where the client's token can't.
public enum RequestRunner: String, Codable, Sendable {
    case client, owner
}

/// In the message a statement as a question has it, and beside its members what it runs with.
public struct RequestedStatement: Equatable, Sendable {
    public var asked: AskedStatement
    public var context: StatementContext
}

public struct StatementContext: Codable, Equatable, Sendable {
    /// The values of its parameters, in their order, each as JSON.
    public var parameters: [String]
    @OrNull public var schema: String?
    @OrNull public var database: String?
}

extension RequestedStatement: Codable {
    public init(from decoder: any Decoder) throws {
        (asked, context) = (try AskedStatement(from: decoder), try StatementContext(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try asked.encode(to: encoder)
        try context.encode(to: encoder)
    }
}

/// `once`: each runs when its client sends it again. `run`: they run now, in this order, as the person; the first that fails is the last.
public enum RequestAnswer: String, Codable, Sendable {
    case once, run, no
}

/// One that ran, or the one that failed.
public struct RequestRun: Codable, Equatable, Sendable {
    public var id: String
    @OrNull public var rowsAffected: Int?
    public var warnings: [String]
    /// One sentence; nil where it ran.
    @OrNull public var failed: String?
}

extension Command {
    public struct ListRequests: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var requests: [AccessRequestView]
        }
        public static let method = ControlMethod.listRequests
        public init() {}
    }

    /// Has what they take counted, before a yes: the answer is as of the list's, with it.
    public struct OpenRequests: ControlCommand {
        public typealias Answer = ListRequests.Answer
        public static let method = ControlMethod.openRequests
        public var ids: [String]

        public init(ids: [String]) {
            self.ids = ids
        }
    }

    /// A higher level of the connection, which would do as well, is `SaveConnection`'s.
    public struct DecideRequests: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var ids: [String]
            public var answer: RequestAnswer
            public var ran: [RequestRun]
        }
        public static let method = ControlMethod.decideRequests
        public var ids: [String]
        public var answer: RequestAnswer
        /// How often each may run, of `once`; nil is one time.
        public var times: Int?

        public init(ids: [String], answer: RequestAnswer, times: Int? = nil) {
            self.ids = ids
            self.answer = answer
            self.times = times
        }
    }
}
