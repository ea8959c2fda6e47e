/// A change of a field that may be emptied: the member is left out, null, or a value.
public enum Change<Value: Codable & Equatable & Sendable>: Equatable, Sendable {
    case keep
    case clear
    case set(Value)

    /// Nil leaves it out.
    public init(_ value: Value?) {
        self = value.map(Change.set) ?? .keep
    }
}

extension Change: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .clear : .set(try container.decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .set(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

// The compiler's own coding of a message calls these for a change.
extension KeyedDecodingContainer {
    public func decode<Value>(_ type: Change<Value>.Type, forKey key: Key) throws -> Change<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .clear : .set(try decode(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value>(_ change: Change<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
