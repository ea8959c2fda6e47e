/// The form that mints a token (spec §5, §10). The plaintext it yields is shown once, by
/// `MintedSheet`.
public struct TokenForm: Equatable, Sendable {
    public var name = ""
    public var scope = Scope.readOnly
    public var expires = TokenExpiry.value30
    public var reachesAll = true
    /// Ids; counts where not all are reached.
    public var ticked: Set<String> = []
    /// The client itself may be asked about destructive statements where no shell is attached.
    public var confirmInClient = false

    public init() {}

    /// Those that are added later too; a pairing's *All* are those that are there.
    public static var allLabel: String { localized("All connections, later ones too") }

    /// What is said beside the list; a token that reaches nothing is a choice, but a strange one.
    public var reachNote: String? {
        !reachesAll && ticked.isEmpty ? localized("No connection is ticked: this token would reach none.") : nil
    }

    /// The daemon says what is wrong with the name.
    public func command(connections: [ConnectionView]) -> Command.TokensMint {
        let ids = connections.map(\.id).filter(ticked.contains)
        return Command.TokensMint(
            name: name, scope: scope, connections: reachesAll ? .all : .only(ids), expires: expires,
            confirmInClient: confirmInClient)
    }
}

/// A minted token's plaintext, for as long as its sheet is open: shown once and forgotten (spec
/// §5).
public struct MintedSheet: Equatable, Sendable {
    public let name: String
    /// Nil once the sheet was closed.
    public private(set) var plaintext: String?

    public init(_ minted: MintedToken) {
        name = ShownText.name(minted.tokenView.name)
        plaintext = minted.token
    }

    public static var sentence: String {
        localized("This token is shown once. Copy it now and keep it where secrets are kept.")
    }

    public mutating func close() {
        plaintext = nil
    }
}
