/// A member that is always sent, as `null` if it has no value. An optional member is left out.
@propertyWrapper
public struct OrNull<Value> {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Sendable where Value: Sendable {}

extension OrNull: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// A missing member is a fault, as for any other required member.
    public func decode<Value: Codable>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        if try decodeNil(forKey: key) { return OrNull(wrappedValue: nil) }
        return OrNull(wrappedValue: try decode(Value.self, forKey: key))
    }
}
