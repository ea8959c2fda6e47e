/// Cuts texts at ASCII characters as they stand in the bytes. To Swift a `/` with a mark above it is one character and no `/`, so
/// that a text would be read otherwise here than by those it is meant for.
extension StringProtocol where SubSequence == Substring {
    func begins(with prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    func has(_ ascii: Unicode.Scalar) -> Bool {
        unicodeScalars.contains(ascii)
    }

    /// Before the first one, and behind it; nil where there is none.
    func cut(at ascii: Unicode.Scalar) -> (Substring, Substring?) {
        guard let index = unicodeScalars.firstIndex(of: ascii) else { return (self[...], nil) }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }

    func cut(atLast ascii: Unicode.Scalar) -> (Substring, Substring)? {
        guard let index = unicodeScalars.lastIndex(of: ascii) else { return nil }
        return (self[..<index], self[unicodeScalars.index(after: index)...])
    }

    /// Empty ones too.
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

    /// Without its first so many bytes, which are ASCII.
    func without(first count: Int) -> Substring {
        self[utf8.index(startIndex, offsetBy: count)...]
    }

    var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    func replacing(_ ascii: Unicode.Scalar, with text: String) -> String {
        pieces(at: ascii).joined(separator: text)
    }

    /// Between blanks and line breaks.
    var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }

    /// What the groups of a pattern hold where all of the text has its form, scalar by scalar.
    func whole<Output>(_ form: Regex<Output>) -> Output? {
        (try? form.dotMatchesNewlines().matchingSemantics(.unicodeScalar).wholeMatch(in: String(self)))?.output
    }

    /// Only A to Z: other letters may become ASCII, or two.
    var asciiLowercased: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 32) : $0 }))
    }
}

extension Unicode.Scalar {
    var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    var isHexadecimal: Bool { isASCIIDigit || ("a"..."f").contains(self) || ("A"..."F").contains(self) }

    /// What JavaScript's `trim` takes off.
    var isSpaceInJavaScript: Bool {
        switch value {
        case 0x9...0xD, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
