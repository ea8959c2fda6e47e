import Foundation

/// Converts JSON text to values and back, as the control socket writes it: plain slashes, and
/// members in the order of their names.
public enum JSONText {
    /// - Throws: `DecodingError`
    public static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// - Throws: `EncodingError`, for numbers that JSON does not have.
    public static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
