/// JSON-RPC 2.0 around commands, answers and notifications (spec §11). Unknown members are ignored.

public struct ControlRequest<Asked: ControlCommand>: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    public var id: Int
    public var method: ControlMethod
    public var params: Asked
    /// The owner passphrase, if the request gives more access. Sealed lines only.
    public var passphrase: String?
    /// If the request gives more access: Sallyport.app showed a person what it does, and the person
    /// approved. Sealed lines only.
    public var confirm: ConfirmationPlace?
    /// Touch ID's signature of the refusal's challenge. Sealed lines only.
    public var touchId: String?

    public init(
        id: Int, asking: Asked, passphrase: String? = nil, confirm: ConfirmationPlace? = nil, touchId: String? = nil
    ) {
        self.id = id
        method = Asked.method
        params = asking
        self.passphrase = passphrase
        self.touchId = touchId
        self.confirm = confirm
    }
}

/// Where the owner confirms a privilege increase.
public enum ConfirmationPlace: String, Codable, Sendable {
    case app
}

public struct ControlAnswer<Answer: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    public var id: Int
    public var result: Answer
    /// It gave more access, and nobody confirmed it because the owner passphrase is off.
    public var unconfirmed: Bool?
}

public struct ControlRefusal: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    /// Nil if the daemon could not read the request's id.
    @OrNull public var id: Int?
    public var error: ControlError
}

/// The daemon's refusal, as a sentence.
public struct ControlError: Error, Codable, Equatable, Sendable {
    public var code: Int
    public var message: String
    public var data: Details?

    /// How the request may be confirmed, or the wrong parameter. Nil for any other refusal.
    public struct Details: Codable, Equatable, Sendable {
        /// Why, for a program.
        public var code: String?
        /// The message in parts, if values stand in it.
        public var parts: [ReasonPart]?
        public var confirm: Place?
        public var passphrase: Bool?
        public var sentence: String?
        public var facts: [ConfirmationFact]?
        public var touchId: String?
        /// By the daemon's name.
        public var field: String?
        /// A clause without its full stop.
        public var why: String?
        public var counts: Counts?

        /// The same clause as a format, with `%lld` for each number.
        public struct Counts: Codable, Equatable, Sendable {
            public var code: String
            public var values: [Int]
        }

        public enum Place: String, Codable, Sendable {
            case app, passphrase, choose
        }
    }

    /// What the request does, and what was wrong with the typed text. A prompt shows it. The
    /// message is for shells without a prompt.
    public var sentence: String { data?.sentence ?? message }

    /// The request gives more access, and may be made again with the owner passphrase.
    public var wantsPassphrase: Bool {
        data?.confirm == .passphrase || (wantsConfirmation && data?.passphrase == true)
    }

    /// The request gives more access, and may be made again once a person confirms it here, in
    /// Sallyport.app.
    public var wantsConfirmation: Bool { data?.confirm == .app }
}

extension ControlError {
    /// Data of another form counts as none, so the message is shown.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        code = try members.decode(Int.self, forKey: .code)
        message = try members.decode(String.self, forKey: .message)
        data = try? members.decode(Details.self, forKey: .data)
    }

    /// What would change if the request is confirmed.
    public var facts: [ConfirmationFact] { data?.facts ?? [] }
}
