/// JSON-RPC 2.0 around commands, answers and what is pushed (spec §11). Unknown members are passed over.

public struct ControlRequest<Asked: ControlCommand>: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    public var id: Int
    public var method: ControlMethod
    public var params: Asked
    /// The owner passphrase, where the request widens access. Sealed lines only.
    public var passphrase: String?
    /// Where the request widens access: that a person was shown in Sallyport.app what it does, and said yes. Sealed lines only.
    public var confirm: ConfirmationPlace?

    public init(id: Int, asking: Asked, passphrase: String? = nil, confirm: ConfirmationPlace? = nil) {
        self.id = id
        method = Asked.method
        params = asking
        self.passphrase = passphrase
        self.confirm = confirm ?? (Asked.isDecidedOnASheet ? .app : nil)
    }
}

/// Where the owner confirms what widens access.
public enum ConfirmationPlace: String, Codable, Sendable {
    case app
}

public struct ControlAnswer<Answer: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    public var id: Int
    public var result: Answer
    /// It gave more access and nobody confirmed it, since the owner passphrase is off.
    public var unconfirmed: Bool?
}

public struct ControlRefusal: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    /// Nil where the daemon could not read which request it was.
    @OrNull public var id: Int?
    public var error: ControlError
}

/// The daemon's no, in its own sentence.
public struct ControlError: Error, Codable, Equatable, Sendable {
    public var code: Int
    public var message: String
    public var data: JSONValue?

    /// What the request does, and what was wrong with what was typed: to be shown above a prompt. The message is for shells without one.
    public var sentence: String { data?["sentence"]?.string ?? message }

    /// The request widens access, and may be made again with the owner passphrase.
    public var wantsPassphrase: Bool {
        data?["confirm"] == .string("passphrase") || (wantsConfirmation && data?["passphrase"] == .bool(true))
    }

    /// The same, once a first owner passphrase is set: none is chosen yet.
    public var wantsFirstPassphrase: Bool { data?["confirm"] == .string("choose") }

    /// The request widens access, and may be made again once a person has confirmed it here, in Sallyport.app.
    public var wantsConfirmation: Bool { data?["confirm"] == .string("app") }
}

/// What the daemon tells unasked.
public enum ControlNotification: Equatable, Sendable {
    case approvalAsked(ApprovalView)
    case approvalWithdrawn(ApprovalWithdrawn)
    /// This sheet had to wait, and may be drawn now.
    case pairingTurn(id: String)
    case serverChanged(ServerChange)
    /// How many access requests wait for the person.
    case requestsChanged(waiting: Int)
    /// To be listed anew.
    case changed(ChangedList)
    /// Another shell asks for what widens access: to be confirmed here.
    case confirmationAsked(ConfirmationView)
    case confirmationWithdrawn(ConfirmationWithdrawn)
    /// Oldest first.
    case activityAppended([ActivityRow])
    /// Of another version of the daemon, by its method or its form.
    case unknown(method: String)
}

/// A list that the daemon says has changed, once `Command.FollowChanges` was asked.
public enum ChangedList: String, Codable, CaseIterable, Sendable {
    case connections = "connections.changed"
    case tokens = "tokens.changed"
    case settings = "settings.changed"
}

extension ControlNotification: Codable {
    private enum Member: String, CodingKey { case jsonrpc, method, params }
    private struct Empty: Codable {}
    private struct Turn: Codable { var id: String }
    private struct Waiting: Codable { var waiting: Int }
    private struct Appended: Codable { var rows: [ActivityRow] }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let method = try members.decode(String.self, forKey: .method)
        switch method {
        case "approval.asked": self = .approvalAsked(try members.decode(ApprovalView.self, forKey: .params))
        case "approval.withdrawn": self = .approvalWithdrawn(try members.decode(ApprovalWithdrawn.self, forKey: .params))
        case "pairing.turn": self = .pairingTurn(id: try members.decode(Turn.self, forKey: .params).id)
        case "server.changed": self = .serverChanged(try members.decode(ServerChange.self, forKey: .params))
        case "activity.appended": self = .activityAppended(try members.decode(Appended.self, forKey: .params).rows)
        case "requests.changed":
            self = .requestsChanged(waiting: try members.decode(Waiting.self, forKey: .params).waiting)
        case "confirmation.asked": self = .confirmationAsked(try members.decode(ConfirmationView.self, forKey: .params))
        case "confirmation.withdrawn":
            self = .confirmationWithdrawn(try members.decode(ConfirmationWithdrawn.self, forKey: .params))
        default: self = ChangedList(rawValue: method).map(Self.changed) ?? .unknown(method: method)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode("2.0", forKey: .jsonrpc)
        func push(_ method: String, _ params: some Encodable) throws {
            try members.encode(method, forKey: .method)
            try members.encode(params, forKey: .params)
        }
        switch self {
        case .approvalAsked(let view): try push("approval.asked", view)
        case .approvalWithdrawn(let withdrawn): try push("approval.withdrawn", withdrawn)
        case .pairingTurn(let id): try push("pairing.turn", Turn(id: id))
        case .serverChanged(let change): try push("server.changed", change)
        case .activityAppended(let rows): try push("activity.appended", Appended(rows: rows))
        case .requestsChanged(let waiting): try push("requests.changed", Waiting(waiting: waiting))
        case .changed(let list): try push(list.rawValue, Empty())
        case .confirmationAsked(let view): try push("confirmation.asked", view)
        case .confirmationWithdrawn(let withdrawn): try push("confirmation.withdrawn", withdrawn)
        case .unknown(let method): try members.encode(method, forKey: .method)
        }
    }
}
