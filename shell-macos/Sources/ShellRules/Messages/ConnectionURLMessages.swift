/// A connection as a person pasted it, which the daemon takes apart (spec §11). It may hold a password.

public struct ParsedConnection: Codable, Equatable, Sendable {
    public struct TLS: Codable, Equatable, Sendable {
        /// Nil where the URL says nothing.
        @OrNull public var mode: TLSMode?
        @OrNull public var caFile: String?
        public var clientCertificate: ClientCertificate?
    }

    public var endpoint: Endpoint
    /// Nil where any server will do.
    public var targetServers: TargetServers?
    public var tls: TLS
    @OrNull public var password: String?
    /// True where a placeholder stands in the password's place, else nil: there is a password, and it must be asked for.
    public var passwordIsPlaceholder: Bool?
    /// Nil where the server's own holds.
    public var timeZone: String?
    /// The names of options that have no effect here.
    public var ignored: [String]
}

extension Command {
    /// Refused with a sentence that repeats no part of a secret.
    public struct ReadConnectionURL: ControlCommand {
        public typealias Answer = ParsedConnection
        public static let method = ControlMethod.readConnectionURL
        public var url: String
        /// What `~/` and relative paths begin with.
        public var home: String
    }
}
