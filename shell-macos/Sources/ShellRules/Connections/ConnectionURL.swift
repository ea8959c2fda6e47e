/// Reads a connection as people write or paste it: a URL of PostgreSQL, MySQL, MariaDB or SQLite, with JDBC's `jdbc:` before it or
/// SQLAlchemy's `+driver` in its scheme, libpq's `key=value` pairs, or the bare path of an SQLite file. Opens nothing. The password is handed out apart, and no sentence from here ever repeats what was read.
/// The same grammar and the same sentences as in the project's other shells.
public enum ConnectionURL {
    static var expectedForms: String {
        localized(
            "postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file is expected"
        )
    }

    public static func parse(_ text: String, base: PathBase) -> Result<ParsedConnection, RefusedURL> {
        Result { () throws(RefusedURL) in try read(text, base) }
    }

    private static func read(_ typed: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        let text = PastedText.undressed(typed)
        if text.isEmpty { throw RefusedURL("The connection's URL is empty; \(expectedForms).") }
        if text.hasControlCharacter { throw RefusedURL("The URL has a control character in it; remove it.") }
        guard let (scheme, rest) = scheme(of: text) else { return try bareText(text, base) }
        switch scheme {
        case "postgres", "postgresql", "postgis": return try ServerURL.read(.postgres, rest, base)
        case "mysql", "mysql2", "mariadb": return try ServerURL.read(.mysql, rest, base)
        case "sqlite", "sqlite3", "file": return try sqlite(rest, base)
        default: throw unknown
        }
    }

    /// Not quoted: it may be a user name before a password.
    private static var unknown: RefusedURL {
        RefusedURL("That is no URL Sallyport knows; \(expectedForms). A file whose name has a colon is written ./name.")
    }

    /// What begins with no scheme. Only what begins like a path may hold the characters that mark another form.
    private static func bareText(_ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        let (first, rest) = text.cut(at: "/")
        let isPath = rest != nil && (["", ".", ".."].contains(first) || first.begins(with: "~"))
        if isPath || text == ":memory:" { return try file(text, base) }
        if text.pieces(at: ":").dropFirst().contains(where: { $0.begins(with: "//") }) {
            throw RefusedURL("There is a URL with something else around it; give the URL alone.")
        }
        if text.has("=") { return try KeyValues.read(text, base) }
        if text.has(":") || text.begins(with: "-") { throw unknown }
        return try file(text, base)
    }

    /// In lower case and without JDBC's prefix or a driver, and what follows its colon; nil where the text begins with none.
    private static func scheme(of text: String) -> (scheme: String, rest: String)? {
        let (first, afterFirst) = text.cut(at: ":")
        if first.asciiLowercased == "jdbc", let afterFirst, let inner = plainScheme(of: String(afterFirst)) { return inner }
        return plainScheme(of: text)
    }

    private static func plainScheme(of text: String) -> (scheme: String, rest: String)? {
        let (before, rest) = text.cut(at: ":")
        let (scheme, driver) = before.cut(at: "+")
        guard let rest, let first = scheme.unicodeScalars.first, first.isASCIILetter else { return nil }
        let isScheme = scheme.unicodeScalars.allSatisfy { scalar in
            scalar.isASCIILetter || scalar.isASCIIDigit || scalar == "." || scalar == "-"
        }
        let isDriver = driver.map { name in
            !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == "_" }
        }
        return isScheme && isDriver != false ? (scheme.asciiLowercased, String(rest)) : nil
    }

    /// `sqlite:path`, `sqlite://path` and `sqlite:///absolute/path`, percent-decoded.
    private static func sqlite(_ rest: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        // The name of an option is not repeated: it may be a piece of a password.
        if rest.has("?") { throw RefusedURL("sqlite: takes no options; a ? in a file's name is written %3F.") }
        let encoded = rest.begins(with: "//") ? rest.without(first: 2) : rest[...]
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
            endpoint: Endpoint(engine: .sqlite, filePath: filePath), targetServers: nil, tls: .init(mode: nil, caFile: nil),
            password: nil)
    }
}
