/// What is said before both sides have proved themselves, and the seal on every line after (spec
/// §2, §11).

public struct IdentifyParams: Codable, Equatable, Sendable {
    public var nonce: String
    public var `protocol`: String
}

/// Said without proof where the server is off: nothing is sent on the strength of it.
public enum IdentifyResult: Equatable, Sendable {
    case on(protocol: String, version: String, instance: String, port: Int, proof: String, discovery: JSONValue?)
    case off(protocol: String, version: String)
}

public struct ChallengeParams: Codable, Equatable, Sendable {
    public var `protocol`: String
    public var nonce: String
    /// As `status` shows it.
    public var shell: String
    /// Of this process, for the log to say who asked.
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

extension IdentifyResult: Codable {
    private enum Member: String, CodingKey { case server, `protocol`, version, instance, port, proof, discovery }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let spoken = try members.decode(String.self, forKey: .protocol)
        let version = try members.decode(String.self, forKey: .version)
        switch try members.decode(String.self, forKey: .server) {
        case "on":
            self = .on(
                protocol: spoken, version: version,
                instance: try members.decode(String.self, forKey: .instance),
                port: try members.decode(Int.self, forKey: .port),
                proof: try members.decode(String.self, forKey: .proof),
                discovery: try members.decodeIfPresent(JSONValue.self, forKey: .discovery))
        case "off": self = .off(protocol: spoken, version: version)
        default: throw DecodingError.dataCorruptedError(forKey: .server, in: members, debugDescription: "neither on nor off")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        switch self {
        case .on(let spoken, let version, let instance, let port, let proof, let discovery):
            try members.encode("on", forKey: .server)
            try members.encode(spoken, forKey: .protocol)
            try members.encode(version, forKey: .version)
            try members.encode(instance, forKey: .instance)
            try members.encode(port, forKey: .port)
            try members.encode(proof, forKey: .proof)
            try members.encodeIfPresent(discovery, forKey: .discovery)
        case .off(let spoken, let version):
            try members.encode("off", forKey: .server)
            try members.encode(spoken, forKey: .protocol)
            try members.encode(version, forKey: .version)
        }
    }
}
