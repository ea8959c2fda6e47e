/// Takes off what comes along when a connection is copied: spaces, line breaks, quotes, the variable it was assigned to.
enum PastedText {
    /// Each opening quote with the one that closes it.
    private static let quotes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "'": "'", "`": "`", "“": "”", "‘": "’", "„": "“", "«": "»",
    ]

    /// A line of a shell or an `.env` file is taken for what it assigns where that is a URL.
    static func undressed(_ text: String) -> String {
        let plain = unquoted(text)
        guard let assigned = assigned(in: plain) else { return plain }
        let value = unquoted(assigned)
        return isURL(value) ? value : plain
    }

    /// What stands behind `NAME=`, `export NAME=` or `set NAME=`; nil where there is no such thing.
    private static func assigned(in text: String) -> String? {
        let (left, right) = text.cut(at: "=")
        guard let right else { return nil }
        var name = Substring(trimmed(left, .atTheEnd))
        for word in ["export", "set"] where name.prefix(word.count).lowercased() == word {
            let rest = name.dropFirst(word.count)
            let behind = trimmed(rest, .atTheBeginning)
            guard behind.unicodeScalars.count < rest.unicodeScalars.count else { continue }
            name = Substring(behind)
            break
        }
        let isName = name.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == "_" }
        guard isName, let first = name.unicodeScalars.first, !first.isASCIIDigit else { return nil }
        return String(right)
    }

    private static func isURL(_ text: String) -> Bool {
        let (scheme, rest) = text.cut(at: ":")
        guard let rest, rest.begins(with: "//"), scheme.unicodeScalars.first?.isASCIILetter == true else { return false }
        return scheme.unicodeScalars.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == "+" || $0 == "." || $0 == "-"
        }
    }

    private static func unquoted(_ text: String) -> String {
        let bare = trimmed(text[...])
        let scalars = bare.unicodeScalars
        guard scalars.count > 1, let first = scalars.first, let closing = quotes[first], scalars.last == closing else {
            return bare
        }
        return trimmed(Substring(scalars.dropFirst().dropLast()))
    }

    enum Ends { case both, atTheBeginning, atTheEnd }

    /// As JavaScript's `trim` does.
    static func trimmed(_ text: Substring, _ ends: Ends = .both) -> String {
        var scalars = text.unicodeScalars
        if ends != .atTheEnd { scalars = scalars.drop(while: \.isSpaceInJavaScript) }
        if ends != .atTheBeginning { while scalars.last?.isSpaceInJavaScript == true { scalars.removeLast() } }
        return String(scalars)
    }
}
