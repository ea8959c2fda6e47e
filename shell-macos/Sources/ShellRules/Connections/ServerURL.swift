/// Reads the URL of a database server: host or socket, user, database, TLS. Part of `ConnectionURL`, and as silent about secrets.
enum ServerURL {
    enum Option: String, CaseIterable {
        case host, port, user, password, database, socket, tlsMode, tlsWish, caFile, certificateFile, keyFile, targetServers
    }

    /// What may stand after `?`, and what it sets. `tlsWish` says less than `tlsMode`, and gives way to it.
    private static let options: KeyValuePairs<String, Option> = [
        "host": .host, "port": .port, "user": .user, "password": .password, "dbname": .database, "socket": .socket,
        "unix_socket": .socket, "sslmode": .tlsMode, "sslMode": .tlsMode, "ssl-mode": .tlsMode, "tls": .tlsMode,
        "sslaccept": .tlsMode, "ssl": .tlsWish, "useSSL": .tlsWish, "sslrootcert": .caFile, "ssl-ca": .caFile, "ca": .caFile,
        "sslcert": .certificateFile, "ssl-cert": .certificateFile, "sslkey": .keyFile, "ssl-key": .keyFile,
        "target_session_attrs": .targetServers,
    ]

    /// Each tunes a driver or a pool, or names what a call names itself. None makes what is dialled, or as whom, another.
    private static let withoutEffect = Set(
        """
        application_name fallback_application_name channel_binding client_encoding connect_timeout connection_limit currentSchema \
        encoding gssencmode keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname options pgbouncer pool \
        pool_timeout prepareThreshold schema search_path sslcompression ssl_max_protocol_version ssl_min_protocol_version sslsni \
        statement_cache_size supa tcp_user_timeout \
        allowPublicKeyRetrieval autoReconnect autocommit characterEncoding charset collation connectTimeout connectionLimit \
        connectionTimeZone loc maxAllowedPacket multiStatements parseTime pool_recycle readTimeout serverTimezone \
        socketTimeout timeout timezone tinyInt1isBit useLegacyDatetimeCode useUnicode verifyServerCertificate writeTimeout \
        zeroDateTimeBehavior
        """.pieces(at: " ").map(String.init))

    static func option(_ name: String) -> Option? {
        options.first { $0.key == name }?.value
    }

    static func hasNoEffect(_ name: String) -> Bool {
        withoutEffect.contains(name)
    }

    /// libpq's `sslpassword`; ours is kept apart, in the secret store.
    static func refuseKeyPassphrase(_ name: String?) throws(RefusedURL) {
        guard name == "sslpassword" else { return }
        throw RefusedURL(
            "The passphrase of a client key doesn't stand in a URL: leave sslpassword out, save the connection, and give it with sallyport connections set NAME --key-passphrase-stdin."
        )
    }

    /// PostgreSQL's words, ours, MySQL's, Prisma's and Go's. `allow` is missing on purpose: it tries clear text first.
    private static let tlsModes: [String: TLSMode] = [
        "disable": .disable, "disabled": .disable, "false": .disable, "0": .disable, "prefer": .prefer, "preferred": .prefer,
        "require": .require, "required": .require, "skip-verify": .require, "accept-invalid-certs": .require,
        #"{"rejectunauthorized":false}"#: .require, "verify-ca": .verifyCA, "verify-full": .verifyFull,
        "verify-identity": .verifyFull, "strict": .verifyFull, "true": .verifyFull, "1": .verifyFull,
        #"{"rejectunauthorized":true}"#: .verifyFull,
    ]

    static var encodingHint: String {
        localized(
            "in a user name or password the characters : / ? # [ ] @ and % are written as %3A %2F %3F %23 %5B %5D %40 %25"
        )
    }

    /// - Parameter text: what stands after the scheme's colon.
    static func read(_ engine: Engine, _ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection {
        guard text.begins(with: "//") else {
            throw RefusedURL("After the scheme // is expected, as in \(engine.rawValue)://user@host/database.")
        }
        let (beforeFragment, fragment) = text.without(first: 2).cut(at: "#")
        if fragment != nil { throw RefusedURL("The URL has a bare # in it; \(encodingHint).") }
        // What follows a space was pasted along, as a password may be.
        if text.unicodeScalars.contains(where: \.isSpaceInJavaScript) {
            throw RefusedURL("The URL has a space in it; remove it, or write it %20.")
        }
        let (place, query) = beforeFragment.cut(at: "?")
        let (authority, path) = place.cut(at: "/")
        if path?.has("@") == true { throw RefusedURL("The URL has a bare / before its last @; \(encodingHint).") }
        let placed = try readAuthority(String(authority))
        var given = try readOptions(String(query ?? ""))
        guard let database = PercentEncoding.decoded(path ?? ""), path?.has("/") != true else {
            throw RefusedURL("After the host one database name is expected; a / in it is written %2F, a % as %25.")
        }
        for (option, value) in placed + [(.database, database)] where !value.isEmpty {
            if given[option] != nil { throw RefusedURL("The URL gives its \(option.rawValue) twice; remove one.") }
            given[option] = value
        }
        // As libpq reads `postgres:///shop`: a server of this machine. It means the socket, whose folder only ?host= can say.
        if authority.isEmpty, !database.isEmpty, given[.host] == nil, given[.socket] == nil { given[.host] = "localhost" }
        return try connection(engine, given, base)
    }

    /// Of what was given for each option, in a URL or in pairs.
    static func connection(
        _ engine: Engine, _ given: [Option: String], _ base: PathBase
    ) throws(RefusedURL) -> ParsedConnection {
        let given = try ServerHosts.read(given)
        var port: Int?
        if let typed = given[.port] {
            guard let number = ServerHosts.port(typed) else { throw ServerHosts.notAPort }
            port = number
        }
        let (host, socketPath) = try place(engine, given, port, base)
        let targetServers = try targetServers(engine, given[.targetServers])
        let tls = try tls(given, base)
        for part in [host, given[.user], given[.database], given[.password]] where part?.hasControlCharacter == true {
            throw RefusedURL("The URL has an encoded control character in it; remove it.")
        }
        let endpoint = Endpoint(
            engine: engine, host: host, port: port, socketPath: socketPath, database: given[.database], user: given[.user])
        return ParsedConnection(endpoint: endpoint, targetServers: targetServers, tls: tls, password: given[.password])
    }

    /// Nil where nothing is asked of the server. MySQL's say nothing of the kind.
    private static func targetServers(_ engine: Engine, _ typed: String?) throws(RefusedURL) -> TargetServers? {
        guard let typed, typed != "any" else { return nil }
        guard engine == .postgres, let word = TargetServers(rawValue: typed) else {
            throw RefusedURL(
                "target_session_attrs is one of any, read-write, read-only, primary, standby, prefer-standby, and for PostgreSQL alone."
            )
        }
        return word
    }

    private static func place(
        _ engine: Engine, _ given: [Option: String], _ port: Int?, _ base: PathBase
    ) throws(RefusedURL) -> (host: String?, socketPath: String?) {
        // The way PostgreSQL's own clients name a socket: its folder, in the host's place.
        let isPath = given[.host]?.begins(with: "/") == true
        if isPath, given[.socket] != nil { throw RefusedURL("The URL names two sockets; remove one.") }
        let socket = isPath ? given[.host] : given[.socket]
        let host = isPath ? nil : given[.host]
        if socket != nil, host != nil { throw RefusedURL("The URL names a host and a socket; remove one.") }
        guard let socket else {
            if host == nil { throw RefusedURL("The URL names no host; one is expected after //.") }
            return (host, nil)
        }
        guard let path = socketPath(engine, socket, port, base) else {
            throw RefusedURL("The path of the socket must be written out.")
        }
        return (nil, path)
    }

    private static func readAuthority(_ authority: String) throws(RefusedURL) -> [(Option, String)] {
        let (account, place) = authority.cut(atLast: "@") ?? ("", authority[...])
        if account.has("@") { throw RefusedURL("The URL has more than one @ before the host; \(encodingHint).") }
        let (userPart, passwordPart) = account.cut(at: ":")
        guard let user = PercentEncoding.decoded(userPart), let password = PercentEncoding.decoded(passwordPart ?? "") else {
            throw RefusedURL("A % in the URL is not followed by two hexadecimal digits; \(encodingHint).")
        }
        if let several = PercentEncoding.decoded(place), several.has(",") {
            return [(.user, user), (.password, password), (.host, several), (.port, "")]
        }
        guard let (host, port) = hostAndPort(place) else {
            throw RefusedURL("The host in the URL can't be read: an IPv6 address stands in brackets, and \(encodingHint).")
        }
        return [(.user, user), (.password, password), (.host, host), (.port, port)]
    }

    private static func hostAndPort(_ place: Substring) -> (String, String)? {
        if place.begins(with: "["), let (inside, rest) = place.cut(atLast: "]") {
            let address = inside.without(first: 1)
            let isAddress = address.unicodeScalars.allSatisfy { $0.isHexadecimal || $0 == ":" || $0 == "." }
            guard !address.isEmpty, isAddress, rest.isEmpty || rest.begins(with: ":") else { return nil }
            return (String(address), rest.isEmpty ? "" : String(rest.without(first: 1)))
        }
        let parts = place.pieces(at: ":")
        guard parts.count <= 2, !place.has("["), !place.has("]"), let first = parts.first,
            let host = PercentEncoding.decoded(first)
        else { return nil }
        return (host, parts.count == 2 ? String(parts[1]) : "")
    }

    private static func readOptions(_ query: String) throws(RefusedURL) -> [Option: String] {
        // The rest of a password with a bare ? in it: what looks like an option's name must not be repeated.
        if query.has("@") { throw RefusedURL("The URL has a bare ? before its last @; \(encodingHint).") }
        var given: [Option: String] = [:]
        for pair in query.pieces(at: "&") where !pair.isEmpty {
            let (namePart, valuePart) = pair.cut(at: "=")
            let name = PercentEncoding.decoded(namePart)
            if let name, hasNoEffect(name) { continue }
            try refuseKeyPassphrase(name)
            guard let name, let option = option(name) else {
                let known = options.map(\.key).joined(separator: ", ")
                // The rest of a password with a bare & in it looks like one.
                let shown = shownName(valuePart == nil || given[.password] != nil ? nil : name)
                throw RefusedURL("The URL has an option Sallyport doesn't know, \(shown); it knows \(known).")
            }
            guard let value = PercentEncoding.decoded(valuePart ?? ""), !value.isEmpty else {
                throw RefusedURL("The URL's option \(name) has no readable value.")
            }
            if given[option] != nil {
                throw RefusedURL("The URL's option \(name) says again what another one said; remove one.")
            }
            given[option] = value
        }
        return given
    }

    /// A name as options have them, or nothing: a stray piece of a password must not be repeated.
    private static func shownName(_ name: String?) -> String {
        guard let name, name.unicodeScalars.first?.isASCIILetter == true, name.unicodeScalars.count <= 40,
            name.unicodeScalars.allSatisfy({ $0.isASCIILetter || $0 == "_" || $0 == "-" })
        else { return localized("whose name is unusual") }
        return name
    }

    private static func tls(_ given: [Option: String], _ base: PathBase) throws(RefusedURL) -> ParsedConnection.TLS {
        let word = (given[.tlsMode] ?? given[.tlsWish])?.asciiLowercased.replacing("_" as Unicode.Scalar, with: "-")
            .filter { $0 != " " }
        let mode = word.flatMap { tlsModes[$0] }
        if word != nil, mode == nil {
            throw RefusedURL("The TLS mode in the URL is not one of disable, prefer, require, verify-ca, verify-full.")
        }
        // PostgreSQL's word for the system's own certificate authorities, which are ours without a file.
        var caFile: String?
        if let typed = given[.caFile], typed != "system" {
            caFile = base.absolute(typed)
            if caFile == nil { throw RefusedURL("The path of the CA file must be written out.") }
        }
        return .init(mode: mode, caFile: caFile, clientCertificate: try clientCertificate(given, base))
    }

    private static func clientCertificate(
        _ given: [Option: String], _ base: PathBase
    ) throws(RefusedURL) -> ClientCertificate? {
        if given[.certificateFile] == nil, given[.keyFile] == nil { return nil }
        guard let certificate = given[.certificateFile], let key = given[.keyFile] else {
            throw RefusedURL("sslcert and sslkey belong together; name both files.")
        }
        guard let certificateFile = base.absolute(certificate), let keyFile = base.absolute(key) else {
            throw RefusedURL("The paths of sslcert and sslkey must be written out.")
        }
        return ClientCertificate(certificateFile: certificateFile, keyFile: keyFile)
    }

    /// PostgreSQL's sockets are named by their folder and the port.
    private static func socketPath(_ engine: Engine, _ socket: String, _ port: Int?, _ base: PathBase) -> String? {
        guard let path = base.absolute(socket) else { return nil }
        let name = path.pieces(at: "/").last ?? ""
        let isWhole = name.begins(with: ".s.PGSQL.") && WholeNumber.isDigits(name.without(first: ".s.PGSQL.".utf8.count))
        if engine == .mysql || isWhole { return path }
        return Paths.join(path, ".s.PGSQL.\(port ?? 5432)")
    }
}
