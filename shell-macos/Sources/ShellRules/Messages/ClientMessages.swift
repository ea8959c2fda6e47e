/// Who is connected now, and what clients are configured with (spec §11).

/// One bridge process, or whoever holds one token.
public struct ClientView: Codable, Equatable, Identifiable, Sendable {
    public var id: String
    /// As it calls itself: a claim, written as it wrote it. Nil where it has not said.
    @OrNull public var client: String?
    /// Nil where it comes through the bridge.
    @OrNull public var token: NamedToken?
    public var transport: ClientTransport
    /// The revision of MCP that it spoke last; nil before it has said.
    @OrNull public var `protocol`: String?
    /// Of its first and of its last request.
    public var since: String
    public var lastSeen: String
    public var openRequests: Int
    public var sessions: Int
}

public struct NamedToken: Codable, Equatable, Sendable {
    public var id: String
    public var name: String
}

public enum ClientTransport: String, Codable, Sendable {
    case bridge, http
}

extension Command {
    public struct ListClients: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            /// Those seen last first.
            public var clients: [ClientView]
        }
        public static let method = ControlMethod.listClients
        public init() {}
    }

    /// Of one kind of client, as `sallyport connect` names it, or of all.
    public struct ListSnippets: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var snippets: [ClientConfig]
            /// Sentences about what is missing among them, or is needed besides.
            public var notes: [String]
        }
        public static let method = ControlMethod.listSnippets
        public var client: String?
        public init(client: String? = nil) { self.client = client }
    }
}
