/// The options of a pasted connection that are refused by name: they change where it leads, as whom, how safely, or what a statement
/// means or may do, in a way that nothing here does. Whatever stands neither here nor among those that are understood has no effect.
enum RefusedOptions {
    enum What {
        case place, account, safety, meaning, opening, decryption

        var words: String {
            switch self {
            case .place: localized("where it leads")
            case .account: localized("as whom it signs in")
            case .safety: localized("how safely the server is reached")
            case .meaning: localized("what a statement means or may do")
            case .opening: localized("how the file is opened")
            case .decryption: localized("how the file is decrypted")
            }
        }
    }

    /// Drivers write one option as `ssl-ca`, `ssl_ca` and `sslCA`.
    static func plain(_ name: String) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { !"-_.".unicodeScalars.contains($0) }))
    }

    /// By what they change. Of libpq, JDBC, Go, Node and Python alike; names as `plain` gives them.
    static let onServers = named([
        .place: """
        hostaddr service servicefile socketfactory socketfactoryarg cloudsqlinstance unixsocketpath replication proxyhost \
        socksproxyhost socksproxyport sshhost sshport sshuser sshpassword sshkey cluster dnssrv defaultsfile defaultsgroup \
        readdefaultfile readdefaultgroup wrapperplugins
        """,
        .account: """
        passfile role sessionauthorization sslidentity defaultauth authplugin authenticationplugins \
        authenticationpluginclassname defaultauthenticationplugin jaasapplicationname jaaslogin enableiamauth iamauth \
        credentialtype sslcertmode
        """,
        .safety: """
        requireauth requirepeer sslcrl sslcrldir gssencmode sslminprotocolversion sslkeylogfile allowcleartextpasswords \
        allowcleartextpassword enablecleartextplugin allowfallbacktoplaintext allowoldpasswords sslfactory sslfactoryarg \
        sslhostnameverifier sslcipher tlsciphersuites enabledsslciphersuites enabledtlsprotocols tlsversion tlsversions sslfp tlsfp \
        truststore trustcertificatekeystoreurl keystore clientcertificatekeystoreurl sslpasswordcallback
        """,
        .meaning: """
        searchpath schemasearchpath currentschema schema sqlmode oldmode ignorespace flags clientflag clientflags \
        serversettings sessionvariables initcommand initsql initstatement connectioninitsql \
        multistatements multiplestatements allowmultiqueries allowmultistatements localinfile allowlocalinfile \
        allowloadlocalinfile allowloadlocalinfileinpath allowurlinlocalinfile allowallfiles infilewhitelist autodeserialize \
        queryinterceptors statementinterceptors exceptioninterceptors connectionlifecycleinterceptors propertiestransform \
        readonly defaulttransactionreadonly transactionreadonly txreadonly defaulttransactionisolation transactionisolation \
        txisolation isolationlevel autocommit defaulttransactiondeferrable sessionreplicationrole rowsecurity standardconformingstrings backslashquote transformnullequals \
        nobackslashescapes ansiquotes sqlsafeupdates sqlautoisnull foreignkeychecks uniquechecks checkconstraintchecks \
        datestyle intervalstyle forceconnectiontimezonetosession sessionpreloadlibraries \
        localpreloadlibraries defaulttextsearchconfig ginfuzzysearchlimit arraynulls byteaoutput xmlbinary xmloption lcmonetary \
        lcnumeric lctime lctimenames defaultweekformat sqlselectlimit sqlbigselects maxjoinsize groupconcatmaxlen \
        divprecisionincrement autoincrementincrement autoincrementoffset defaultstorageengine defaulttablespace temptablespaces \
        defaulttableaccessmethod checkfunctionbodies eventtriggers locompatprivileges
        """,
    ])

    static let onSQLite = named([
        .opening: """
        mode immutable vfs nolock
        """,
        .decryption: """
        key hexkey textkey password cipher
        """,
        .account: """
        auth authuser authpass authcrypt authsalt
        """,
        .meaning: """
        loadextension extension extensions init pragma queryonly foreignkeys fk deferforeignkeys ignorecheckconstraints \
        writableschema recursivetriggers casesensitivelike cslike securedelete
        """,
    ])

    /// What several options are told of beside "leave it out".
    private static let remedies: [String: Wording] = [
        "hostaddr": "name that address as the host",
        "service": "`sallyport setup` reads the service file",
        "servicefile": "`sallyport setup` reads the service file",
        "passfile": "`sallyport setup` reads the password file",
        "role": "sign in as that role",
        "schemasearchpath": "give the role that search path on the server, and leave it out here",
        "searchpath": "give the role that search path on the server, and leave it out here",
        "currentschema": "give the role that search path on the server, and leave it out here",
        "schema": "give the role that search path on the server, and leave it out here",
        "options": "give the role those settings on the server, and leave it out here",
        "serversettings": "give the role those settings on the server, and leave it out here",
        "cluster": "name the cluster before the database, as CLUSTER.DATABASE",
        "socketfactory": "name a host, or the socket of a proxy on this machine",
        "cloudsqlinstance": "name a host, or the socket of a proxy on this machine",
        "unixsocketpath": "name a host, or the socket of a proxy on this machine",
    ]

    /// A name that is not in the table is never repeated.
    static func refuse(_ name: String, _ value: String, in table: [String: What]) throws(RefusedURL) {
        let plain = plain(name)
        guard let what = table[plain], !isHarmless(plain, PastedText.trimmed(value[...])) else { return }
        throw refusal(name, what)
    }

    static func isRefusable(_ name: String) -> Bool { onServers[plain(name)] != nil }

    /// libpq's `options`: settings of the session, `-c name=value` or `--name=value`; or Neon's `endpoint=ep-1` and CockroachDB's
    /// `--cluster=tabby-1`, which repeat the host for programs that don't send its name over TLS.
    static func refuseSessionOptions(_ value: String, host: String?) throws(RefusedURL) {
        if let (_, endpoint) = value.whole(#/(?:endpoint|project)=([A-Za-z0-9_-]+)/#) {
            let isHosts = host?.begins(with: "\(endpoint).") == true || host?.begins(with: "\(endpoint)-pooler.") == true
            if isHosts { return }
            throw refusal("options", .place)
        }
        var words = value.unicodeScalars.split(whereSeparator: \.isSpaceInJavaScript).map(String.init)[...]
        while var word = words.popFirst() {
            if word.begins(with: "-c") {
                let behind = word.without(first: 2)
                word = "--" + (behind.isEmpty ? words.popFirst() ?? "" : String(behind))
            }
            if let (_, set) = word.whole(#/--[Cc][Ll][Uu][Ss][Tt][Ee][Rr]=(.*)/#) {
                if host?.begins(with: "\(set).") == true { continue }
                throw refusal("options", .place, remedy: remedies["cluster"])
            }
            guard let (_, name, set) = word.whole(#/--([A-Za-z_-]+)=(.*)/#), plain(String(name)) != "timezone",
                onServers[plain(String(name))] == nil || isHarmless(plain(String(name)), String(set))
            else { throw refusal("options", .meaning) }
        }
    }

    private static func refusal(_ name: String, _ what: What, remedy: Wording? = nil) -> RefusedURL {
        let remedy = (remedy ?? remedies[plain(name)]).map(localized) ?? localized("leave it out")
        return RefusedURL("The URL's option \(name) changes \(what.words), and Sallyport doesn't do that: \(remedy).")
    }

    /// Whether the value asks for what holds here without the option.
    private static func isHarmless(_ plain: String, _ value: String) -> Bool {
        let lower = value.asciiLowercased
        if value.isEmpty { return true }
        switch plain {
        case "rowsecurity", "standardconformingstrings", "foreignkeychecks", "uniquechecks", "checkconstraintchecks",
            "foreignkeys", "fk", "autocommit", "arraynulls", "checkfunctionbodies", "eventtriggers":
            // Where "on" is what holds anyway.
            return ["true", "1", "on", "yes", "default"].contains(lower)
        case "schema", "currentschema": return value == "public"
        case "isolationlevel": return ["default", "autocommit"].contains(lower)
        case "byteaoutput": return lower == "hex"
        case "enabledtlsprotocols", "tlsversion", "tlsversions":
            // One of the versions that are taken.
            return lower.whole(#/.*tlsv1(?:\.[0-2])?(?![.0-9]).*/#) != nil
        case "searchpath", "schemasearchpath": return value.whole(#/(?:\x22\$user\x22, ?)?public/#) != nil
        case "gssencmode": return ["disable", "prefer"].contains(value)
        case "sslcertmode": return ["allow", "disable"].contains(value)
        case "sslminprotocolversion": return lower.whole(#/tlsv1(?:\.[012])?/#) != nil
        case "sslfactory": return value.whole(#/org\.postgresql\.ssl\.(?:DefaultJavaSSLFactory|(?:jdbc4\.)?LibPQFactory)/#) != nil
        case "sessionreplicationrole": return lower == "origin"
        case "role": return lower == "none"
        case "mode": return ["rw", "rwc"].contains(value)
        case "vfs": return false
        case "pragma":
            guard let (_, name, set) = lower.whole(#/([a-z_]+)[^a-z0-9_]([a-z0-9_]+)[^a-z0-9_]?/#) else { return false }
            let tuning = ["busy_timeout", "journal_mode", "synchronous", "cache_size", "temp_store", "mmap_size"]
            return tuning.contains(String(name)) || name == "foreign_keys" && ["1", "on"].contains(set)
        default: return ["false", "0", "off", "no", "disable", "disabled", "default"].contains(lower)
        }
    }

    private static func named(_ byWhat: KeyValuePairs<What, String>) -> [String: What] {
        var named: [String: What] = [:]
        for (what, names) in byWhat { for name in names.words { named[name] = what } }
        return named
    }
}
