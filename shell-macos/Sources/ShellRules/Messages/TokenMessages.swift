/// Tokens as the daemon tells of them (spec §5). The plaintext is in the answer to `tokens.mint` and nowhere else.

public struct TokenView: Codable, Equatable, Identifiable, Sendable {
    public var id: String
    public var name: String
    /// First characters of the token, for people to recognise it by.
    public var prefix: String
    public var scope: Scope
    public var connections: Reach<TokenConnection>
    public var confirmInClient: Bool
    public var createdAt: String
    @OrNull public var lastUsedAt: String?
    @OrNull public var expiresAt: String?
    @OrNull public var revokedAt: String?
    @OrNull public var client: String?
    public var state: TokenState
}

public enum TokenState: String, Codable, Sendable {
    /// `uncollected`: of a pairing whose code waits for its exchange; nobody has the token yet, and it goes with the code.
    case valid, uncollected, expired, revoked
}

public struct TokenConnection: Codable, Equatable, Sendable {
    public var id: String
    /// Nil for a connection that is gone since.
    @OrNull public var name: String?
}

public struct MintedToken: Equatable, Sendable {
    public var view: TokenView
    /// Said here and never again.
    public var plaintext: String
}

extension MintedToken: Codable {
    private enum Member: String, CodingKey { case token }

    public init(from decoder: any Decoder) throws {
        view = try TokenView(from: decoder)
        plaintext = try decoder.container(keyedBy: Member.self).decode(String.self, forKey: .token)
    }

    public func encode(to encoder: any Encoder) throws {
        try view.encode(to: encoder)
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(plaintext, forKey: .token)
    }
}
