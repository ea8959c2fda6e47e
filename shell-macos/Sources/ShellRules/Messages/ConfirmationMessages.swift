/// What another shell asks that widens access, for the person at Sallyport.app to confirm (spec §11). What others wrote stands as they
/// wrote it: whoever draws takes the escaped text of `ConfirmationSheet`.
public struct ConfirmationView: Codable, Equatable, Identifiable, Sendable {
    /// UUID.
    public var id: String
    /// What it does. What others wrote stands in quotes that it can't close.
    public var sentence: String
    /// Each value that makes it a widening, and where it applies.
    public var facts: [ConfirmationFact]
    /// Who asks, as that shell calls itself: a claim.
    public var shell: String
    public var askedAt: String
    /// From then on no answer is taken.
    public var expiresAt: String
}

/// Of what is very long the middle is left out, and counted in its place.
public struct ConfirmationFact: Codable, Equatable, Sendable {
    public enum Form: String, Codable, Sendable {
        case line
        /// Line feeds are drawn as such.
        case lines
    }

    /// The daemon's words. Of several requests in one confirmation each has its own of the same label.
    public var label: String
    public var value: String
    /// Until now; nil where there is nothing to compare with.
    @OrNull public var former: String?
    public var form: Form

    public init(label: String, value: String, former: String?, form: Form) {
        self.label = label
        self.value = value
        self.former = former
        self.form = form
    }
}

extension ControlError {
    /// What would change, where the request is to be confirmed; empty where the daemon tells of nothing, or in another form.
    public var facts: [ConfirmationFact] {
        guard let facts = data?["facts"], let text = try? JSONText.encode(facts) else { return [] }
        return (try? JSONText.decode([ConfirmationFact].self, from: text)) ?? []
    }
}

public struct ConfirmationDecision: Codable, Equatable, Sendable {
    public var id: String
    public var answer: YesOrNo
}

public struct ConfirmationWithdrawn: Codable, Equatable, Sendable {
    public var id: String
    public var because: WithdrawalReason
}

extension Command {
    public struct PendingConfirmations: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var confirmations: [ConfirmationView]
        }
        public static let method = ControlMethod.pendingConfirmations
        public init() {}
    }

    public struct DecideConfirmation: ControlCommand {
        public typealias Answer = ConfirmationDecision
        public static let method = ControlMethod.decideConfirmation
        public var id: String
        public var answer: YesOrNo

        public init(id: String, answer: YesOrNo) {
            self.id = id
            self.answer = answer
        }
    }

    /// From here on this shell is told when connections, tokens or settings have changed. Ends with its connection.
    public struct FollowChanges: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var following: Bool
        }
        public static let method = ControlMethod.followChanges
        public init() {}
    }
}
