/// Reads a connection as people write or paste it: a URL of PostgreSQL, MySQL, MariaDB or SQLite, with JDBC's `jdbc:` before it or
/// SQLAlchemy's `+driver` in its scheme, libpq's `key=value` pairs, the name of Go's MySQL driver, or the bare path of an SQLite
/// file; with the program before it to which it was given. Opens nothing. The password is handed out apart, and no sentence from here
/// ever repeats what was read.
/// The same grammar and the same sentences as in the project's other shells.
public enum ConnectionURL {
    static var expectedForms: String {
        localized(
            "postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file is expected"
        )
    }

    /// Not quoted: it may be a user name before a password.
    static var unknown: RefusedURL {
        RefusedURL("That is no URL Sallyport knows; \(expectedForms). A file whose name has a colon is written ./name.")
    }

    public static func parse(_ text: String, base: PathBase) -> Result<ParsedConnection, RefusedURL> {
        Result { () throws(RefusedURL) in try read(text, base) }
    }

    static func holdsURL(_ text: String) -> Bool {
        text.pieces(at: ":").dropFirst().contains { $0.begins(with: "//") }
    }

    private static func read(_ typed: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        let text = PastedText.undressed(typed)
        if text.isEmpty { throw RefusedURL("The connection's URL is empty; \(expectedForms).") }
        if text.hasControlCharacter { throw RefusedURL("The URL has a control character in it; remove it.") }
        if let ofLine = try PastedCommand.connection(in: text) { return try read(ofLine, base) }
        if let ofGo = try GoName.read(text, base) { return ofGo }
        guard let (engine, rest) = try URLSchemes.read(text) else { return try bareText(text, base) }
        let lower = text.asciiLowercased
        return engine == .sqlite
            ? try SQLiteURL.read(rest, base, isFile: lower.begins(with: "file:"))
            : try ServerURL.read(engine, rest, base, isJDBC: lower.begins(with: "jdbc:"))
    }

    /// What begins with no scheme. Only what begins like a path may hold the characters that mark another form.
    private static func bareText(_ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        let (first, rest) = text.cut(at: "/")
        let isPath = rest != nil && (["", ".", ".."].contains(first) || first.begins(with: "~"))
        if isPath || text == ":memory:" { return try SQLiteURL.file(text, base) }
        if Placeholders.isReference(text) {
            throw RefusedURL("That is a placeholder or a variable; give the URL that belongs there.")
        }
        if holdsURL(text) { throw RefusedURL("There is a URL with something else around it; give the URL alone.") }
        if text.has("=") { return try KeyValues.read(text, base) }
        if text.has(":") || text.begins(with: "-") { throw unknown }
        return try SQLiteURL.file(text, base)
    }
}
