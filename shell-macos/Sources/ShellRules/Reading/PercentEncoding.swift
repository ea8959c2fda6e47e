/// Percent-encoding (RFC 3986), read as `decodeURIComponent` does.
enum PercentEncoding {
    /// Nil where `%` is not followed by the code of a character. A `+` is a `+`, as the databases'
    /// own clients read it.
    static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Unicode.Scalar($0).isHexadecimal }),
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(code)
            rest.removeFirst(2)
        }
        // As bytes of UTF-8, or nothing: a replacement character would be another password.
        let decoded = String(decoding: bytes, as: UTF8.self)
        return Array(decoded.utf8) == bytes ? decoded : nil
    }
}
