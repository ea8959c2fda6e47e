import Foundation

/// JSON text to values and back, as the control socket writes it: slashes plain, members in the
/// order of their names.
public enum JSONText {
    /// - Throws: `DecodingError`
    public static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(withWholeCharacters(text).utf8))
    }

    /// - Throws: `EncodingError`, for numbers that JSON does not have.
    public static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// JavaScript sends half a surrogate pair as `\ud800`, which no Swift string holds and the
    /// decoder refuses whole: a client could name itself so and keep its own question from being
    /// shown. It becomes U+FFFD, which is also what the database is sent.
    static func withWholeCharacters(_ text: String) -> String {
        guard text.range(of: "\\ud", options: .caseInsensitive) != nil else { return text }
        let bytes = Array(text.utf8)
        var whole: [UInt8] = []
        whole.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == backslash else {
                whole.append(bytes[index])
                index += 1
                continue
            }
            guard let unit = codeUnit(in: bytes, at: index) else {
                whole.append(contentsOf: bytes[index..<min(index + 2, bytes.count)])
                index += 2
                continue
            }
            if isHigh(unit), let next = codeUnit(in: bytes, at: index + 6), isLow(next) {
                whole.append(contentsOf: bytes[index..<index + 12])
                index += 12
                continue
            }
            whole.append(contentsOf: isHigh(unit) || isLow(unit) ? replacement : Array(bytes[index..<index + 6]))
            index += 6
        }
        return String(decoding: whole, as: UTF8.self)
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let replacement = Array("\\ufffd".utf8)

    /// The four digits of an escape `\uXXXX` that begins there; nil for anything else.
    private static func codeUnit(in bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == backslash, bytes[index + 1] == UInt8(ascii: "u") else { return nil }
        return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }

    private static func isHigh(_ unit: UInt16) -> Bool { (0xD800...0xDBFF).contains(unit) }
    private static func isLow(_ unit: UInt16) -> Bool { (0xDC00...0xDFFF).contains(unit) }
}
