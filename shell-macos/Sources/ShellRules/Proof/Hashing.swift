import CryptoKit
import Foundation

/// SHA-256 and HMAC-SHA-256 of bytes, and a comparison for proofs.
enum Hashing {
    static func sha256(_ message: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: message)) }

    static func hmac(key: [UInt8], message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
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

    /// Without padding (RFC 4648 §5).
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
