/// What may stand after `?` in a URL, or as a key of libpq's pairs: what it sets, and what is refused (`RefusedOptions`). All else tunes
/// a driver or a pool and has no effect here. A name that may be a piece of a password is never repeated.
enum URLOptions {
    /// `tlsWish` and what verifies say less than `tlsMode`, and give way to it.
    enum Option: String {
        case host, port, user, password, database, socket, tlsMode, tlsWish, tlsRequired, tlsDisabled
        case verifiesCertificate, verifiesName, trustsServer, caFile, certificateFile, keyFile, targetServers, serverType
        case timeZone, sessionOptions
    }

    typealias Given = [Option: String]

    /// What is understood, by the names of PostgreSQL's, MySQL's, JDBC's, Prisma's, Go's, Python's and node-postgres's URLs.
    static let names: [String: Option] = [
        "host": .host, "port": .port, "user": .user, "username": .user, "password": .password, "passwd": .password,
        "pwd": .password, "dbname": .database, "database": .database, "socket": .socket, "unixsocket": .socket,
        "unixsock": .socket, "localsocket": .socket, "sslmode": .tlsMode, "tls": .tlsMode, "sslaccept": .tlsMode,
        "ssl": .tlsWish, "usessl": .tlsWish, "requiressl": .tlsRequired, "ssldisabled": .tlsDisabled,
        "sslverifycert": .verifiesCertificate, "sslverifyservercert": .verifiesCertificate,
        "verifyservercertificate": .verifiesCertificate, "sslverifyidentity": .verifiesName, "sslcheckhostname": .verifiesName,
        "trustservercertificate": .trustsServer, "sslrootcert": .caFile, "sslca": .caFile, "ca": .caFile,
        "serversslcert": .caFile, "sslcert": .certificateFile, "sslkey": .keyFile, "targetsessionattrs": .targetServers,
        "targetservertype": .serverType, "timezone": .timeZone, "options": .sessionOptions,
    ]

    /// Those without effect that libpq and pgx themselves take, which a key of a pair must be; and names that don't look like an
    /// option's.
    static let withoutEffect = Set(
        """
        applicationname fallbackapplicationname channelbinding clientencoding connecttimeout gssdelegation gsslib keepalives \
        keepalivescount keepalivesidle keepalivesinterval krbsrvname loadbalancehosts maxprotocolversion minprotocolversion \
        sslcompression sslmaxprotocolversion sslnegotiation sslsni tcpusertimeout statementcachecapacity defaultqueryexecmode \
        poolmaxconns poolminconns poolmaxconnlifetime poolmaxconnidletime poolhealthcheckperiod statementtimeout locktimeout \
        tinyint1isbit servertimezone allowpublickeyretrieval useunicode characterencoding autoreconnect zerodatetimebehavior
        """.words)

    static func option(_ name: String) -> Option? {
        name.begins(with: "__") ? nil : names[RefusedOptions.plain(name)]
    }

    /// Of which the name alone tells that it is an option, so that it is no piece of a password.
    static func isKnown(_ name: String) -> Bool {
        withoutEffect.contains(RefusedOptions.plain(name)) || RefusedOptions.isRefusable(name)
    }

    /// libpq's `sslpassword`; ours is kept apart, in the secret store.
    static func refuseKeyPassphrase(_ name: String?) throws(RefusedURL) {
        guard let name, RefusedOptions.plain(name) == "sslpassword" else { return }
        throw RefusedURL(
            "The passphrase of a client key doesn't stand in a URL: leave sslpassword out, save the connection, and give it with sallyport connections set NAME --key-passphrase-stdin."
        )
    }

    /// What was given, and the names of what was left out.
    /// - Parameter holdsAccount: whether an account stands here alone, as in JDBC's URLs.
    static func read(_ query: String, holdsAccount: Bool) throws(RefusedURL) -> (given: Given, ignored: [String]) {
        let elsewhere = query.pieces(at: "&").filter {
            !holdsAccount || !["user", "password"].contains($0.cut(at: "=").0.asciiLowercased)
        }
        // The rest of a password with a bare ? in it: what looks like an option's name must not be repeated.
        if elsewhere.contains(where: { $0.has("@") }) {
            throw RefusedURL("The URL has a bare ? before its last @; \(ServerURL.encodingHint).")
        }
        var given: Given = [:]
        var setBy: [Option: String] = [:]
        var ignored: [String] = []
        for item in items(in: query) {
            guard let name = item.name, let option = option(name) else {
                ignored.append(try nameWithoutEffect(item, isBehindPassword: given[.password] != nil))
                continue
            }
            guard let value = item.value else { throw RefusedURL("The URL's option \(name) has no readable value.") }
            // As drivers take it: not given.
            if value.isEmpty { continue }
            if let former = given[option], !former.utf8.elementsEqual(value.utf8) || setBy[option] != name {
                throw RefusedURL("The URL's option \(name) says again what another one said; remove one.")
            }
            given[option] = value
            setBy[option] = name
        }
        return (given, ignored)
    }

    struct Item {
        /// Nil where it can't be read.
        let name: String?
        let value: String?
        let hasValue: Bool
    }

    /// No form encoding: a + is a +, as the databases' own clients read it.
    static func items(in query: some StringProtocol) -> [Item] {
        String(query).pieces(at: "&").filter { !$0.isEmpty }.map { pair in
            let (name, value) = pair.cut(at: "=")
            return Item(name: PercentEncoding.decoded(name), value: PercentEncoding.decoded(value ?? ""), hasValue: value != nil)
        }
    }

    private static func nameWithoutEffect(_ item: Item, isBehindPassword: Bool) throws(RefusedURL) -> String {
        try refuseKeyPassphrase(item.name)
        // A stray piece of a password, as behind a bare & in it, is nothing of the kind: it mostly has no = and often a digit.
        guard let name = item.name, isKnown(name) || item.hasValue && name.whole(#/[A-Za-z][A-Za-z._-]{0,39}/#) != nil else {
            throw RefusedURL(
                "The URL has an option Sallyport doesn't know, whose name is unusual; remove it, or write an & of the password as %26."
            )
        }
        if let value = item.value { try RefusedOptions.refuse(name, value, in: RefusedOptions.onServers) }
        if isKnown(name) || !isBehindPassword { return name }
        return localized("an option behind the password (an & of the password itself is written %26)")
    }
}
