/// Takes off what comes along when a connection is copied: spaces, line breaks, quotes, the variable it was assigned to.
enum PastedText {
    /// Each opening quote with the one that closes it.
    private static let quotes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "'": "'", "`": "`", "“": "”", "‘": "’", "„": "“", "«": "»",
    ]

    /// A line of a shell, a program, or of a file in `.env`'s form, YAML or JSON is taken for what it assigns where that is a URL.
    static func undressed(_ text: String) -> String {
        let plain = unquoted(text)
        guard let assigned = assigned(in: plain) else { return plain }
        let bare = assigned.whole(#/(.*[\x22\x27\x60])[,;][\s\u{FEFF}]*/#).map { String($0.1) } ?? assigned
        let value = unquoted(bare)
        return isURL(value) ? value : plain
    }

    /// What stands behind `NAME=`, `export NAME=`, `NAME: `, quoted or not; nil where there is no such thing.
    private static func assigned(in text: String) -> String? {
        let form =
            #/(?i)(?:(?:export|set|const|let|var)[\s\u{FEFF}]+)?[\x22\x27]?[A-Za-z_][A-Za-z0-9_.]*[\x22\x27]?[\s\u{FEFF}]*(?:=|:[\s\u{FEFF}])(.*)/#
        return text.whole(form).map { String($0.1) }
    }

    private static func isURL(_ text: String) -> Bool {
        let isJDBC = text.asciiLowercased.begins(with: "jdbc:")
        let (scheme, rest) = (isJDBC ? text.without(first: 5) : text[...]).cut(at: ":")
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
