/// The messages before both sides have proved themselves, and the seal on every line after (spec
/// §2, §11).

public struct ChallengeParams: Codable, Equatable, Sendable {
    public var `protocol`: String
    public var nonce: String
    /// As `status` shows it.
    public var shell: String
    /// The process id, for the log.
    public var pid: Int?
}

public struct ChallengeResult: Codable, Equatable, Sendable {
    public var `protocol`: String
    public var nonce: String
    public var proof: String
}

public struct ProveParams: Codable, Equatable, Sendable {
    public var proof: String
}

public struct SealedLine: Codable, Equatable, Sendable {
    public var counter: Int
    public var mac: String
    /// The JSON text of a message.
    public var message: String
}
