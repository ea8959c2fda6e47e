/// HMAC-SHA-256 (RFC 2104), and a comparison for it.
enum HMAC {
    static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        let short = key.count > SHA256.blockBytes ? SHA256.digest(key) : key
        let padded = short + [UInt8](repeating: 0, count: SHA256.blockBytes - short.count)
        let inner = SHA256.digest(padded.map { $0 ^ 0x36 } + message)
        return SHA256.digest(padded.map { $0 ^ 0x5c } + inner)
    }

    /// Takes constant time for the content. The lengths of proofs are no secret. It compares bytes:
    /// Swift takes two spellings of é for one.
    static func isSame(_ a: String, _ b: String) -> Bool {
        let (left, right) = (Array(a.utf8), Array(b.utf8))
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}

/// Base64url without padding (RFC 4648 §5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
            for digit in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * digit) & 0x3f)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
