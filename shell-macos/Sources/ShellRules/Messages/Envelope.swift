/// JSON-RPC 2.0 around commands, answers and what is pushed (spec §11). Unknown members are passed
/// over.

public struct ControlRequest<Asked: ControlCommand>: Codable, Equatable, Sendable {
    public var jsonrpc = "2.0"
    public var id: Int
    public var method: ControlMethod
    public var params: Asked
    /// The owner passphrase, where the request widens access. Sealed lines only.
    public var passphrase: String?
    /// Where the request widens access: that a person was shown in Sallyport.app what it does, and
    /// said yes. Sealed lines only.
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

    /// What the request does, and what was wrong with what was typed: to be shown above a prompt.
    /// The message is for shells without one.
    public var sentence: String { data?["sentence"]?.string ?? message }

    /// The request widens access, and may be made again with the owner passphrase.
    public var wantsPassphrase: Bool {
        data?["confirm"] == .string("passphrase") || (wantsConfirmation && data?["passphrase"] == .bool(true))
    }

    /// The same, once a first owner passphrase is set: none is chosen yet.
    public var wantsFirstPassphrase: Bool { data?["confirm"] == .string("choose") }

    /// The request widens access, and may be made again once a person has confirmed it here, in
    /// Sallyport.app.
    public var wantsConfirmation: Bool { data?["confirm"] == .string("app") }
}

extension ControlError {
    /// What would change, where the request is to be confirmed; empty where the daemon tells of
    /// nothing, or in another form.
    public var facts: [ConfirmationFact] {
        guard let facts = data?["facts"], let text = try? JSONText.encode(facts) else { return [] }
        return (try? JSONText.decode([ConfirmationFact].self, from: text)) ?? []
    }
}
