/// Reads the URL or the path of an SQLite file. Part of `ConnectionURL`; touches no file.
enum SQLiteURL {
    /// `sqlite:path`, `sqlite://path` and `sqlite:///absolute/path`, percent-decoded.
    /// - Parameter isFile: whether it begins with `file:`, whose three slashes mean an absolute path always.
    static func read(_ rest: String, _ base: PathBase, isFile: Bool) throws(RefusedURL) -> ParsedConnection {
        let (written, query) = rest.cut(at: "?")
        var ignored: [String] = []
        for item in URLOptions.items(in: query ?? "") {
            // The name of what is no option is not repeated: it may be a piece of a password.
            guard let name = item.name, let value = item.value, item.hasValue,
                name.whole(#/_?[A-Za-z][A-Za-z._-]{0,39}/#) != nil
            else { throw RefusedURL("sqlite: takes no options of an unusual name; a ? in a file's name is written %3F.") }
            try RefusedOptions.refuse(name, value, in: RefusedOptions.onSQLite)
            ignored.append(name)
        }
        let encoded = written.begins(with: "//") ? written.without(first: 2) : written
        guard let name = PercentEncoding.decoded(encoded) else {
            throw RefusedURL("A % in the path is not followed by two hexadecimal digits; write it %25.")
        }
        if name.hasControlCharacter { throw RefusedURL("The path has a control character in it; remove it.") }
        // SQLAlchemy's and Django's three slashes before a relative path, or before what is no path.
        let isAlone =
            written.begins(with: "///") && !isFile && name.begins(with: "/") && name != "/" && !name.without(first: 1).has("/")
        let isRelative = isAlone || ["/./", "/../"].contains { name.begins(with: $0) } || name == "/:memory:"
        return try file(isRelative ? String(name.without(first: 1)) : name, base, ignored)
    }

    static func file(_ path: String, _ base: PathBase, _ ignored: [String] = []) throws(RefusedURL) -> ParsedConnection {
        if path.isEmpty { throw RefusedURL("sqlite: needs the path of a file.") }
        if path == ":memory:" {
            throw RefusedURL("A database in memory belongs to one process; give the path of a file.")
        }
        guard let filePath = base.absolute(path) else {
            throw RefusedURL("Another user's home (~name) is not looked up; write the path out.")
        }
        return ParsedConnection(
            endpoint: Endpoint(engine: .sqlite, filePath: filePath), tls: .init(mode: nil, caFile: nil), password: nil,
            ignored: ignored)
    }
}
