/// Reads libpq's connection strings, `host=h user=u password='p'` (PostgreSQL's manual, "Keyword/Value Connection Strings"), and
/// refuses by name those of ODBC and ADO.NET. Part of `ConnectionURL`, and as silent about secrets.
enum KeyValues {
    private static var knownKeys: String {
        localized(
            "the keys are host, port, dbname, user, password, sslmode and sslrootcert, and a value with a space stands in single quotes"
        )
    }

    static func read(_ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        var given: URLOptions.Given = [:]
        var ignored: [String] = []
        var rest = text.unicodeScalars[...]
        rest = rest.drop(while: isSpace)
        while !rest.isEmpty {
            guard let (key, value, isQuoted) = takePair(from: &rest) else { throw notLibpq(text) }
            let name = key.lowercased()
            if URLOptions.isKnown(name) {
                try RefusedOptions.refuse(name, value, in: RefusedOptions.onServers)
                if !isQuoted, value.has(";") { throw notLibpq(text) }
                ignored.append(name)
                continue
            }
            try URLOptions.refuseKeyPassphrase(name)
            guard let option = URLOptions.option(name),
                // A semicolon separates the pairs of others; within an unquoted value here it would carry the next pair along.
                option == .password || isQuoted || !value.has(";")
            else { throw notLibpq(text) }
            if given[option] != nil { throw RefusedURL("One of the keys stands there twice; remove one.") }
            if !value.isEmpty { given[option] = value }
        }
        if given[.host] == nil, SemicolonPairs.isOne(text) { throw SemicolonPairs.refusal(text) }
        if given[.host] == nil, given[.socket] == nil { throw RefusedURL("The key host is missing; add host=….") }
        return try ServerURL.connection(.postgres, given, ignored, base)
    }

    /// No key is repeated: it may be a piece of a password that was not quoted.
    private static func notLibpq(_ text: String) -> RefusedURL {
        if text.has(";") || SemicolonPairs.isOne(text) { return SemicolonPairs.refusal(text) }
        return RefusedURL("The key=value pairs can't be read; \(knownKeys). A file whose name has a = is written ./name.")
    }

    private typealias Text = Substring.UnicodeScalarView

    /// As libpq reads them: a backslash takes the next character as it is, in quotes and outside. Nil where there is no pair.
    private static func takePair(from rest: inout Text) -> (key: String, value: String, isQuoted: Bool)? {
        let key = rest.prefix { $0 != " " && $0 != "=" }
        rest = rest.dropFirst(key.count).drop(while: isSpace)
        guard !key.isEmpty, rest.popFirst() == "=" else { return nil }
        rest = rest.drop(while: isSpace)
        let isQuoted = rest.first == "'"
        if isQuoted { rest.removeFirst() }
        var value = String.UnicodeScalarView()
        while let scalar = rest.first, isQuoted ? scalar != "'" : scalar != " " {
            rest.removeFirst()
            guard scalar == "\\" else {
                value.append(scalar)
                continue
            }
            guard let taken = rest.popFirst() else { return nil }
            value.append(taken)
        }
        if isQuoted, rest.popFirst() == nil { return nil }
        rest = rest.drop(while: isSpace)
        return (String(key), String(value), isQuoted)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " }
}
