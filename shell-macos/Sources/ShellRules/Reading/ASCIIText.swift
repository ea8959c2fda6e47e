/// Cuts texts at ASCII characters, by their bytes. Swift takes a `/` with a combining mark for
/// another character, so it would read a text differently from its receiver.
extension StringProtocol where SubSequence == Substring {
    func begins(with prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    func has(_ ascii: Unicode.Scalar) -> Bool {
        unicodeScalars.contains(ascii)
    }

    /// The text before the first one, and the text after it. Nil if there is none.
    func cut(at ascii: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = unicodeScalars.firstIndex(of: ascii) else { return (self[...], nil) }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }

    /// Includes empty pieces.
    func pieces(at ascii: Unicode.Scalar) -> [Substring] {
        var pieces: [Substring] = []
        var rest: Substring? = self[...]
        while let current = rest {
            let (piece, next) = current.cut(at: ascii)
            pieces.append(piece)
            rest = next
        }
        return pieces
    }

    /// Drops the first bytes, which are ASCII.
    func without(first count: Int) -> Substring {
        self[utf8.index(startIndex, offsetBy: count)...]
    }

    func replacing(_ ascii: Unicode.Scalar, with text: String) -> String {
        pieces(at: ascii).joined(separator: text)
    }

    /// Only A to Z: other letters may become ASCII, or two letters.
    var asciiLowercased: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 32) : $0 }))
    }
}

extension Unicode.Scalar {
    var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
