import Foundation

/// Reads the URL of a database server: host or socket, user, database, TLS. Part of `ConnectionURL`, and as silent about secrets.
enum ServerURL {
    static var encodingHint: String {
        localized(
            "in a user name or password the characters : / ? # [ ] @ and % are written as %3A %2F %3F %23 %5B %5D %40 %25"
        )
    }

    /// - Parameter text: what stands after the scheme's colon.
    static func read(
        _ engine: Engine, _ typed: String, _ base: PathBase, isJDBC: Bool = false
    ) throws(RefusedURL) -> ParsedConnection {
        let text = Placeholders.plain(typed)
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
        let server = authority.cut(atLast: "@")?.1 ?? authority
        let withoutPort = server.whole(#/(.*):[0-9]*/#)?.1 ?? server
        if Placeholders.isHeld(in: server) || Placeholders.isHeld(in: withoutPort) { throw unfilled(.host) }
        let placed = try readAuthority(String(authority))
        var (given, ignored) = try URLOptions.read(String(query ?? ""), holdsAccount: isJDBC && !authority.has("@"))
        guard let database = PercentEncoding.decoded(path ?? ""), path?.has("/") != true else {
            throw RefusedURL("After the host one database name is expected; a / in it is written %2F, a % as %25.")
        }
        for (option, value) in placed + [(.database, database)] where !value.isEmpty {
            // libpq's and Prisma's form of a socket: a host that stands in its place, and the folder that counts behind it.
            if option == .host, value == "localhost", given[.host]?.begins(with: "/") == true { continue }
            if given[option] != nil { throw RefusedURL("The URL gives its \(option.rawValue) twice; remove one.") }
            given[option] = value
        }
        // As libpq reads `postgres:///shop`: a server of this machine. It means the socket, whose folder only ?host= can say.
        if authority.isEmpty, !database.isEmpty, given[.host] == nil, given[.socket] == nil { given[.host] = "localhost" }
        return try connection(engine, given, ignored, base)
    }

    /// Of what was given for each option, in a URL or in pairs.
    static func connection(
        _ engine: Engine, _ given: URLOptions.Given, _ ignored: [String], _ base: PathBase
    ) throws(RefusedURL) -> ParsedConnection {
        let given = try ServerHosts.read(given)
        var port: Int?
        if let typed = given[.port] {
            guard let number = ServerHosts.port(typed) else { throw ServerHosts.notAPort }
            port = number
        }
        let (host, socketPath) = try place(engine, given, port, base)
        if let settings = given[.sessionOptions] { try RefusedOptions.refuseSessionOptions(settings, host: host) }
        if let user = given[.user], Placeholders.isHeld(in: user[...]) { throw unfilled(.user) }
        if let database = given[.database], Placeholders.isOne(database) { throw unfilled(.database) }
        let isUnfilled = given[.password].map(Placeholders.isOne) == true
        let targetServers = try targetServers(engine, given[.targetServers] ?? given[.serverType].map(ofJDBC))
        let tls = try URLTLS.read(given, base)
        for part in [host, given[.user], given[.database], given[.password]] where part?.hasControlCharacter == true {
            throw RefusedURL("The URL has an encoded control character in it; remove it.")
        }
        let endpoint = Endpoint(
            engine: engine, host: host, port: port, socketPath: socketPath, database: given[.database], user: given[.user])
        return ParsedConnection(
            endpoint: endpoint, targetServers: targetServers, tls: tls, password: isUnfilled ? nil : given[.password],
            passwordIsPlaceholder: isUnfilled ? true : nil, timeZone: given[.timeZone].flatMap(timeZone),
            ignored: given[.sessionOptions] == nil ? ignored : ignored + ["options"])
    }

    private static func unfilled(_ part: URLOptions.Option) -> RefusedURL {
        RefusedURL("The URL has a placeholder in the place of its \(part.rawValue); write your own there.")
    }

    /// Nil for a driver's word for what the server has; `Z` is UTC.
    private static func timeZone(_ typed: String) -> String? {
        switch typed.asciiLowercased {
        case "local", "system": nil
        case "z": "UTC"
        default: typed.whole(#/'(.*)'/#).map { String($0.1) } ?? typed
        }
    }

    /// JDBC's `targetServerType`.
    private static func ofJDBC(_ typed: String) -> String {
        let word = typed.begins(with: "preferS") ? "prefer-\(typed.without(first: 6))" : typed
        let former = [("master", "primary"), ("slave", "standby"), ("secondary", "standby")]
        return former.reduce(word.asciiLowercased) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
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
        _ engine: Engine, _ given: URLOptions.Given, _ port: Int?, _ base: PathBase
    ) throws(RefusedURL) -> (host: String?, socketPath: String?) {
        // The way PostgreSQL's own clients name a socket: its folder, in the host's place.
        let isPath = given[.host]?.begins(with: "/") == true
        if isPath, given[.socket] != nil { throw RefusedURL("The URL names two sockets; remove one.") }
        let socket = isPath ? given[.host] : given[.socket]
        // To MySQL's own clients localhost is the socket.
        let isSockets = isPath || engine == .mysql && given[.socket] != nil && given[.host] == "localhost"
        let host = isSockets ? nil : given[.host]
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

    private static func readAuthority(_ authority: String) throws(RefusedURL) -> [(URLOptions.Option, String)] {
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
        let (inside, behind) = place.cut(at: "]")
        if inside.begins(with: "["), let rest = behind {
            let address = inside.without(first: 1)
            let isAddress = address.unicodeScalars.allSatisfy { $0.isHexadecimal || $0 == ":" || $0 == "." }
            guard !address.isEmpty, isAddress, rest.isEmpty || rest.begins(with: ":") else { return nil }
            return (String(address), rest.isEmpty ? "" : String(rest.without(first: 1)))
        }
        let parts = place.pieces(at: ":")
        guard parts.count <= 2, let first = parts.first, !first.has("["), !first.has("]"),
            let host = PercentEncoding.decoded(first)
        else { return nil }
        return (host, parts.count == 2 ? String(parts[1]) : "")
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
