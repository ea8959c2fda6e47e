/// The form that mints a token (spec §5, §10). `MintedSheet` shows the plaintext once.
public struct TokenForm: Equatable, Sendable {
    public var name = ""
    public var scope = Scope.readOnly
    public var expires = TokenExpiry.value30
    public var reachesAll = true
    /// Ids. Used if not all are reached.
    public var ticked: Set<String> = []
    /// The client itself may be asked about destructive statements while no shell is attached.
    public var confirmInClient = false

    public init() {}

    /// Includes later connections. A pairing's *All* means the present ones.
    public static var allLabel: String { localized("All connections, later ones too") }

    /// The note beside the list. A token that reaches nothing is allowed, but strange.
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

/// A minted token's plaintext while its sheet is open. It is shown once and forgotten (spec §5).
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
