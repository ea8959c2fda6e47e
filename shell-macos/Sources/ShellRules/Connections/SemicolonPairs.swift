/// Connection strings of ADO.NET and ODBC, `Server=h;Database=d;User Id=u;Password=p`: told by their keys, and refused with what to give
/// instead.
enum SemicolonPairs {
    private static let places = Set(
        """
        server host datasource addr address networkaddress driver provider dsn
        """.words)
    private static let others = Set(
        """
        database initialcatalog uid userid user username pwd password port sslmode encrypt integratedsecurity trustedconnection \
        version
        """.words)
    private static let ofSQLServer = Set(
        """
        initialcatalog trustedconnection multipleactiveresultsets attachdbfilename encrypt
        """.words)

    /// In lower case and without blanks; a value may be any text, and no part of it is repeated.
    private static func pairs(in text: String) -> [String: String] {
        var pairs: [String: String] = [:]
        for part in text.pieces(at: ";") {
            let (before, value) = part.cut(at: "=")
            guard let value, !before.isEmpty else { continue }
            let isOfKey = { (scalar: Unicode.Scalar) in scalar.isASCIILetter || scalar == " " || scalar == "_" }
            // What stands before it may be the key of a file of JSON, and a quote.
            let key = before.unicodeScalars.reversed().prefix(while: isOfKey).filter(\.isASCIILetter).reversed()
            pairs[String(String.UnicodeScalarView(key)).asciiLowercased] = PastedText.trimmed(value)
        }
        return pairs
    }

    static func isOne(_ text: String) -> Bool {
        if text.asciiLowercased.whole(#/ *data source *=.*/#) != nil { return true }
        let keys = pairs(in: text).keys
        return text.has(";") && keys.contains(where: places.contains) && keys.contains(where: others.contains)
    }

    static func refusal(_ text: String) -> RefusedURL {
        let pairs = pairs(in: text)
        let source = pairs["datasource"] ?? ""
        let program = "\(pairs["driver"] ?? "") \(pairs["provider"] ?? "")".asciiLowercased
        let server = (pairs["server"] ?? source).asciiLowercased
        let isSQLServer =
            pairs.keys.contains(where: ofSQLServer.contains) || server.begins(with: "tcp:") || server.begins(with: "(localdb)")
        if isSQLServer || program.whole(#/.*sql server.*/#) != nil {
            return URLSchemes.notSupported(URLSchemes.unsupported["mssql"] ?? "")
        }
        let isFile = source.asciiLowercased.whole(#/.*\.(?:db3?|sqlite3?|s3db)[\x22\x27]?/#) != nil
        if holds(program, ["sqlite"]) || pairs["version"] != nil || isFile {
            return RefusedURL("Sallyport doesn't read ODBC or ADO.NET strings; give the path of the SQLite file alone.")
        }
        let (postgres, mysql) = ("postgres://user@host:port/database", "mysql://user@host:port/database")
        let isPostgres =
            holds(program, ["postgres", "psql", "npgsql"]) || pairs["port"] == "5432" || pairs["username"] != nil
        let isMySQL = holds(program, ["mysql", "maria"]) || pairs["port"] == "3306"
        let form = isMySQL ? mysql : isPostgres ? postgres : localized("\(postgres) or \(mysql)")
        return RefusedURL(
            "Sallyport doesn't read ODBC or ADO.NET strings; write the server, port, database and user of this one as \(form), and give the password apart."
        )
    }

    private static func holds(_ program: String, _ names: [String]) -> Bool { names.contains { program.contains($0) } }
}
