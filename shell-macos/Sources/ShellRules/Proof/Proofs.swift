/// The proofs of the control socket (spec §2 Trust, §11): HMAC-SHA-256 over labelled,
/// newline-joined fields, base64url. Each label names one use, so that a proof given for one
/// purpose can never serve another.
public enum Proofs {
    public enum Side: String, Sendable {
        case daemon, shell
    }

    /// 32 random bytes in base64url.
    public static func newNonce(from chance: inout some RandomNumberGenerator) -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &chance) })
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

    /// That a side holds the shell secret; the side is part of it, so neither can be answered with
    /// its own.
    public static func shell(secret: String, side: Side, shellNonce: String, daemonNonce: String) -> String {
        hmac(secret, ["sallyport shell 1 \(side.rawValue)", shellNonce, daemonNonce])
    }

    public static func sessionKey(secret: String, shellNonce: String, daemonNonce: String) -> String {
        hmac(secret, ["sallyport session 1", shellNonce, daemonNonce])
    }

    /// - Parameter counter: 1 for the first line a side sends after the proofs, then one more each.
    public static func line(sessionKey: String, sender: Side, counter: Int, message: String) -> String {
        hmac(sessionKey, ["sallyport line 1 \(sender.rawValue)", String(counter), message])
    }

    private static func hmac(_ key: String, _ fields: [String]) -> String {
        Base64URL.encode(HMAC.sha256(key: Array(key.utf8), message: Array(fields.joined(separator: "\n").utf8)))
    }

    /// What Touch ID signs, as `daemon/access/privilege-increases/touch-id.ts` has it.
    package static func touched(_ challenge: String) -> String { "sallyport touch-id 1\n\(challenge)" }
}
