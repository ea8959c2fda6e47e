/// Reads a connection as people write it: a URL of PostgreSQL, MySQL, MariaDB or SQLite, or the bare path of an SQLite file. Opens
/// nothing. The password is handed out apart, and no sentence from here ever repeats what was read. The same grammar and the same
/// sentences as in the project's other shells.
public enum ConnectionURL {
    private static var forms: String {
        localized(
            "postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file is expected"
        )
    }

    public static func parse(_ text: String, base: PathBase) -> Result<ParsedConnection, RefusedURL> {
        Result { () throws(RefusedURL) in try read(text, base) }
    }

    private static func read(_ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        if text.allSatisfy(\.isWhitespace) { throw RefusedURL("The connection's URL is empty; \(forms).") }
        if text.hasControlCharacter { throw RefusedURL("The URL has a control character in it; remove it.") }
        guard let scheme = scheme(of: text) else { return try file(text, base) }
        let rest = String(text.without(first: scheme.utf8.count + 1))
        switch scheme {
        case "postgres", "postgresql": return try ServerURL.read(.postgres, rest, base)
        case "mysql", "mariadb": return try ServerURL.read(.mysql, rest, base)
        case "sqlite": return try sqlite(rest, base)
        default:
            // Not quoted: it may be a user name before a password.
            throw RefusedURL("That is no URL Sallyport knows; \(forms). A file whose name has a colon is written ./name.")
        }
    }

    /// In lower case; nil where the text begins with none.
    private static func scheme(of text: String) -> String? {
        let (scheme, rest) = text.cut(at: ":")
        guard rest != nil, let first = scheme.unicodeScalars.first, first.isASCIILetter else { return nil }
        let isScheme = scheme.unicodeScalars.allSatisfy { scalar in
            scalar.isASCIILetter || scalar.isASCIIDigit || scalar == "+" || scalar == "." || scalar == "-"
        }
        return isScheme ? scheme.asciiLowercased : nil
    }

    /// `sqlite:path`, `sqlite://path` and `sqlite:///absolute/path`, percent-decoded.
    private static func sqlite(_ rest: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        let (place, query) = rest.cut(at: "?")
        if let query {
            // What stands behind a second ? was never looked at.
            let option = query.cut(at: "?").0.cut(at: "=").0.cut(at: "&").0
            let named = JavaScriptText.quoted(String(option))
            throw RefusedURL("sqlite: takes no option \(named); a ? in a file's name is written %3F.")
        }
        let encoded = place.begins(with: "//") ? place.without(first: 2) : place
        guard let name = PercentEncoding.decoded(encoded) else {
            throw RefusedURL("A % in the path is not followed by two hexadecimal digits; write it %25.")
        }
        if name.hasControlCharacter { throw RefusedURL("The path has a control character in it; remove it.") }
        return try file(name, base)
    }

    private static func file(_ path: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        if path.isEmpty { throw RefusedURL("sqlite: needs the path of a file.") }
        if path == ":memory:" {
            throw RefusedURL("A database in memory belongs to one process; give the path of a file.")
        }
        guard let filePath = base.absolute(path) else {
            throw RefusedURL("Another user's home (~name) is not looked up; write the path out.")
        }
        return ParsedConnection(
            endpoint: Endpoint(engine: .sqlite, filePath: filePath), tls: .init(mode: nil, caFile: nil), password: nil)
    }
}
