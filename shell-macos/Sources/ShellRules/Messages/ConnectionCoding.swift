/// The forms of connection messages that Swift does not derive: unions by `kind` or `reachable`, and what may be left out or null.

extension PasswordSource: Codable {
    private enum Member: String, CodingKey { case kind, command }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        switch try members.decode(String.self, forKey: .kind) {
        case "none": self = .none
        case "stored": self = .stored
        case "command": self = .command(try members.decode(String.self, forKey: .command))
        default:
            throw DecodingError.dataCorruptedError(forKey: .kind, in: members, debugDescription: "unknown password source")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        switch self {
        case .none: try members.encode("none", forKey: .kind)
        case .stored: try members.encode("stored", forKey: .kind)
        case .command(let command):
            try members.encode("command", forKey: .kind)
            try members.encode(command, forKey: .command)
        }
    }
}

extension PasswordChange: Codable {
    private enum Member: String, CodingKey { case kind, value, command }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        switch try members.decode(String.self, forKey: .kind) {
        case "none": self = .none
        case "stored": self = .stored(try members.decode(String.self, forKey: .value))
        case "command": self = .command(try members.decode(String.self, forKey: .command))
        default:
            throw DecodingError.dataCorruptedError(forKey: .kind, in: members, debugDescription: "unknown password change")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        switch self {
        case .none: try members.encode("none", forKey: .kind)
        case .stored(let value):
            try members.encode("stored", forKey: .kind)
            try members.encode(value, forKey: .value)
        case .command(let command):
            try members.encode("command", forKey: .kind)
            try members.encode(command, forKey: .command)
        }
    }
}

extension ConnectionTLSChange: Codable {
    private enum Member: String, CodingKey { case mode, caFile, clientCertificate, keyPassphrase }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        mode = try members.decodeIfPresent(TLSMode.self, forKey: .mode)
        caFile = try members.change(String.self, forKey: .caFile)
        clientCertificate = try members.change(ClientCertificate.self, forKey: .clientCertificate)
        keyPassphrase = try members.decodeIfPresent(String.self, forKey: .keyPassphrase)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encodeIfPresent(mode, forKey: .mode)
        try members.encode(caFile, forKey: .caFile)
        try members.encode(clientCertificate, forKey: .clientCertificate)
        try members.encodeIfPresent(keyPassphrase, forKey: .keyPassphrase)
    }
}

extension ConnectionTestResult: Codable {
    private enum Member: String, CodingKey { case reachable, name, problem }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        guard try members.decode(Bool.self, forKey: .reachable) else {
            let name = try members.decode(String.self, forKey: .name)
            self = .unreachable(name: name, problem: try members.decode(String.self, forKey: .problem))
            return
        }
        self = .reachable(try ReachableDatabase(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        switch self {
        case .reachable(let database):
            try members.encode(true, forKey: .reachable)
            try database.encode(to: encoder)
        case .unreachable(let name, let problem):
            try members.encode(false, forKey: .reachable)
            try members.encode(name, forKey: .name)
            try members.encode(problem, forKey: .problem)
        }
    }
}

extension KeyedDecodingContainer {
    func change<Value: Codable>(_ type: Value.Type, forKey key: Key) throws -> Change<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .clear : .set(try decode(type, forKey: key))
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value: Codable>(_ change: Change<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
