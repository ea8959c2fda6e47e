/// Commands about who may do what: tokens, pairings, questions to the user.

extension Command {
    public struct ListTokens: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var tokens: [TokenView]
        }
        public static let method = ControlMethod.listTokens
        public init() {}
    }

    public struct MintToken: ControlCommand {
        public typealias Answer = MintedToken
        public static let method = ControlMethod.mintToken
        public var name: String
        public var scope: Scope
        /// Ids or names; an empty list reaches nothing.
        public var connections: Reach<String>
        public var expires: TokenExpiry
        public var confirmInClient: Bool

        public init(
            name: String, scope: Scope, connections: Reach<String>, expires: TokenExpiry, confirmInClient: Bool = false
        ) {
            self.name = name
            self.scope = scope
            self.connections = connections
            self.expires = expires
            self.confirmInClient = confirmInClient
        }
    }

    /// What is nil stays as it is.
    public struct EditToken: ControlCommand {
        public typealias Answer = TokenView
        public static let method = ControlMethod.editToken
        public var id: String
        public var scope: Scope?
        public var connections: Reach<String>?
        public var expires: TokenExpiry?
        public init(id: String) { self.id = id }
    }

    public struct IdAnswer: Codable, Equatable, Sendable {
        public var id: String
    }

    public struct RevokeToken: ControlCommand {
        public typealias Answer = IdAnswer
        public static let method = ControlMethod.revokeToken
        public var id: String
        public init(id: String) { self.id = id }
    }

    public struct DeleteToken: ControlCommand {
        public typealias Answer = IdAnswer
        public static let method = ControlMethod.deleteToken
        public var id: String
        public init(id: String) { self.id = id }
    }

    public struct QuestionsAnswer: Codable, Equatable, Sendable {
        public var questions: [ApprovalView]
    }

    public struct PendingApprovals: ControlCommand {
        public typealias Answer = QuestionsAnswer
        public static let method = ControlMethod.pendingApprovals
        public init() {}
    }

    /// From here on this shell is one that can ask a person (or no more). Ends with its connection.
    public struct AttachApprovals: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var questions: [ApprovalView]
            /// False where the daemon doesn't know this shell as Sallyport.app, nor sees it on a terminal: it is shown the questions alone.
            public var attached: Bool
        }
        public static let method = ControlMethod.attachApprovals
        public var answers: Bool
        public init(answers: Bool) { self.answers = answers }
    }

    public struct DecideApproval: ControlCommand {
        public typealias Answer = ApprovalDecision
        public static let method = ControlMethod.decideApproval
        public static let isDecidedOnASheet = true
        public var id: String
        public var answer: YesOrNo

        public init(id: String, answer: YesOrNo) {
            self.id = id
            self.answer = answer
        }
    }

    public struct BeginPairing: ControlCommand {
        public typealias Answer = PairingView
        public static let method = ControlMethod.beginPairing
        /// The deep link as it came.
        public var link: String
        /// The app that opens the redirect's scheme; nil for none, and for a web address.
        @OrNull public var handler: LinkHandler?

        public init(link: String, handler: LinkHandler?) {
            self.link = link
            self.handler = handler
        }
    }

    /// The sheet was closed without a decision: nothing is opened.
    public struct ClosePairing: ControlCommand {
        public typealias Answer = IdAnswer
        public static let method = ControlMethod.closePairing
        public var id: String
        public init(id: String) { self.id = id }
    }

    public enum DecidePairing: ControlCommand {
        public typealias Answer = PairingAnswer
        public static let method = ControlMethod.decidePairing
        public static let isDecidedOnASheet = true
        case approve(id: String, scope: Scope, connections: Reach<String>, expires: TokenExpiry)
        case deny(id: String)
    }
}

extension Command.DecidePairing {
    private enum Member: String, CodingKey { case id, decision, scope, connections, expires }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let id = try members.decode(String.self, forKey: .id)
        switch try members.decode(String.self, forKey: .decision) {
        case "approve":
            self = .approve(
                id: id,
                scope: try members.decode(Scope.self, forKey: .scope),
                connections: try members.decode(Reach<String>.self, forKey: .connections),
                expires: try members.decode(TokenExpiry.self, forKey: .expires))
        case "deny": self = .deny(id: id)
        default:
            throw DecodingError.dataCorruptedError(forKey: .decision, in: members, debugDescription: "no decision")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        switch self {
        case .approve(let id, let scope, let connections, let expires):
            try members.encode(id, forKey: .id)
            try members.encode("approve", forKey: .decision)
            try members.encode(scope, forKey: .scope)
            try members.encode(connections, forKey: .connections)
            try members.encode(expires, forKey: .expires)
        case .deny(let id):
            try members.encode(id, forKey: .id)
            try members.encode("deny", forKey: .decision)
        }
    }
}
