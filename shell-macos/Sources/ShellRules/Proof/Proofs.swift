/// The proofs of the control socket (spec §2 Trust, §11): HMAC-SHA-256 over labelled fields that
/// are joined by newlines, in base64url. Each label names one use, so a proof for one purpose never
/// serves another.
public enum Proofs {
    public enum Side: String, Sendable {
        case daemon, shell
    }

    /// 32 random bytes in base64url.
    public static func newNonce(from chance: inout some RandomNumberGenerator) -> String {
        Hashing.base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &chance) })
    }

    public static func isNonce(_ text: String) -> Bool {
        text.utf8.count == 43
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// Proves that a side holds the shell secret. It names the side, so neither side can be
    /// answered with its own proof.
    public static func shell(secret: String, side: Side, shellNonce: String, daemonNonce: String) -> String {
        hmac(secret, ["sallyport shell 1 \(side.rawValue)", shellNonce, daemonNonce])
    }

    public static func sessionKey(secret: String, shellNonce: String, daemonNonce: String) -> String {
        hmac(secret, ["sallyport session 1", shellNonce, daemonNonce])
    }

    /// - Parameter counter: 1 for a side's first line after the proofs, then one more each.
    public static func line(sessionKey: String, sender: Side, counter: Int, message: String) -> String {
        hmac(sessionKey, ["sallyport line 1 \(sender.rawValue)", String(counter), message])
    }

    private static func hmac(_ key: String, _ fields: [String]) -> String {
        Hashing.base64URL(Hashing.hmac(key: Array(key.utf8), message: Array(fields.joined(separator: "\n").utf8)))
    }

    /// The text that Touch ID signs, as in `daemon/access/privilege-increases/touch-id.ts`.
    package static func touched(_ challenge: String) -> String { "sallyport touch-id 1\n\(challenge)" }
}
