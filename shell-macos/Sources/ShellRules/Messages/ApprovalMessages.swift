/// Questions that wait for the user's yes, and pairings that wait for their decision (spec §10, §12). What others wrote stands
/// as they wrote it: whoever draws takes the escaped text of `ShownText`.

public struct ApprovalView: Codable, Equatable, Identifiable, Sendable {
    /// Eight letters and digits.
    public var id: String
    public var kind: ApprovalKind
    /// As it calls itself: a claim.
    public var client: String
    /// Nil where it asks through the stdio bridge.
    @OrNull public var token: String?
    public var connection: AskedConnection
    /// What a yes allows and for how long; the daemon's own words.
    public var means: String
    @OrNull public var statement: AskedStatement?
    public var askedAt: String
    public var expiresAt: String
}

public enum ApprovalKind: String, Codable, Sendable {
    case destructiveStatement = "destructive_statement"
    case stopServerSession = "stop_server_session"
    case firstUse = "first_use"
}

public struct AskedConnection: Codable, Equatable, Sendable {
    public var id: String
    public var name: String
    public var tags: [String]
    @OrNull public var colour: String?
}

public struct NamedConnection: Codable, Equatable, Sendable {
    public var id: String
    public var name: String
}

public struct AskedStatement: Codable, Equatable, Sendable {
    public var text: String
    public var `class`: String
    /// One sentence: what decided the class.
    public var reason: String
    public var tables: [String]
    /// Nil where nothing was counted.
    public var takes: StatementTakes?
    /// Code points.
    public var characters: Int
    public var lines: Int
}

/// What a statement takes, in the daemon's words with names of others in them.
public struct StatementTakes: Codable, Equatable, Sendable {
    /// One for each table and object.
    public var lines: [String]
    /// Sentences: what could not be counted, and why.
    @OrNull public var note: String?

    public init(lines: [String], note: String? = nil) {
        self.lines = lines
        self.note = note
    }
}

public enum YesOrNo: String, Codable, Sendable {
    case yes, no
}

public struct ApprovalDecision: Codable, Equatable, Sendable {
    public var id: String
    public var answer: YesOrNo
}

public struct ApprovalWithdrawn: Codable, Equatable, Sendable {
    public var id: String
    public var because: WithdrawalReason
}

public enum WithdrawalReason: String, Codable, Sendable {
    case yes, no, timeout, cancelled
}

public struct LinkHandler: Codable, Equatable, Sendable {
    public var scheme: String
    /// The app that this Mac opens the scheme with.
    public var app: String

    public init(scheme: String, app: String) {
        self.scheme = scheme
        self.app = app
    }
}

public struct PairingView: Codable, Equatable, Identifiable, Sendable {
    /// UUID.
    public var id: String
    /// As it calls itself: a claim.
    public var client: String
    public var redirect: PairingRedirect
    /// Asked for.
    public var scope: Scope
    /// Ids to start with.
    public var ticked: Reach<String>
    public var connections: [PairingConnection]
    /// To start with.
    public var expires: TokenExpiry
    public var askedAt: String
    /// From then on no decision is taken.
    public var expiresAt: String
    /// Another sheet is open: this one may be drawn once `pairing.turn` names it.
    public var waits: Bool
    /// The server is switched off: an approval starts it, until Sallyport is stopped.
    public var serverStarted: Bool
}

public struct PairingRedirect: Codable, Equatable, Sendable {
    /// Receives the code.
    public var address: String
    /// The app registered for its scheme, or the program that listens there; nil where the system doesn't tell.
    @OrNull public var receiver: String?
    public var kind: RedirectKind
}

public enum RedirectKind: String, Codable, Sendable {
    case loopback, app
}

public struct PairingConnection: Codable, Equatable, Identifiable, Sendable {
    public var id: String
    public var name: String
    public var engine: Engine
    /// What any client may do there at this moment.
    public var externalClients: ExternalClientsLevel
}

public struct PairingAnswer: Codable, Equatable, Sendable {
    public var id: String
    /// To be opened as it stands.
    public var address: String
    /// The id of the token that waits for its client; nil for a denial.
    @OrNull public var token: String?
}
