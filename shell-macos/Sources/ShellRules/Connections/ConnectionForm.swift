import Foundation

/// The connection editor (spec §6): its fields, and which of them are saved. `ConnectionFormSaving`
/// makes the request to the daemon. The daemon says what is wrong with a field.
public struct ConnectionForm: Equatable, Identifiable, Sendable {
    public enum Place: String, CaseIterable, Sendable {
        case host, socket
    }

    /// How long `readWrite` lasts from the moment of saving.
    public enum WriteDuration: String, Worded, Sendable {
        case halfHour, tonight, noEnd

        public static let labels: [String: Wording] = [
            "halfHour": "For 30 minutes", "tonight": "Until tonight", "noEnd": "Until I take it back",
        ]

        /// - Parameter calendar: the person's calendar, for the end of the day.
        public func seconds(from now: Date, in calendar: Calendar) -> Int? {
            switch self {
            case .halfHour: 1_800
            case .tonight:
                calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: now)).map { midnight in
                    Int(midnight.timeIntervalSince(now).rounded(.up))
                } ?? 1_800
            case .noEnd: nil
            }
        }
    }

    public struct Fields: Equatable, Sendable {
        public var name = ""
        public var engine = Engine.postgres
        public var place = Place.host
        public var host = ""
        public var port = ""
        public var socketPath = ""
        public var filePath = ""
        public var database = ""
        public var user = ""
        public var passwordKind = PasswordKind.none
        public var password = ""
        public var passwordCommand = ""
        /// Nil for the default of the place.
        public var tlsMode: TlsMode?
        public var caFile = ""
        public var certificateFile = ""
        public var keyFile = ""
        /// Typed. If it is empty, the kept one stays.
        public var keyPassphrase = ""
        /// Nil for the engine's default.
        public var databases: Databases?
        public var tunnelKind = TunnelKind.none
        public var sshServer = ""
        /// Separated by commas.
        public var sshJumps = ""
        public var sshKeyFile = ""
        /// Typed. If it is empty, the kept one stays.
        public var sshPassphrase = ""
        public var sshPassword = ""
        public var tunnelCommand = ""
        /// Nil if any server will do.
        public var targetServers: TargetServers?
        /// Of a pasted URL; no field shows them. Nil for any.
        public var signInMethods: [SignInMethod]?
        public var statementTimeoutSeconds = ""
        public var rowLimit = ""
        public var writeRowLimit = ""
        /// Empty for the server's own.
        public var timeZone = ""
        public var colour: String?
        public var group = ""
        /// Separated by commas.
        public var tags = ""
        public var externalClients = ExternalClientsLevel.readOnly
        /// Nil leaves the end as it is.
        public var writeDuration: WriteDuration? = .halfHour
        public var aiPolicy = AiPolicy.always
    }

    /// The fields that show problems, by the daemon's names, for each of the two panes.
    public static let fieldsUnderGeneral = [
        "name", "endpoint.host", "endpoint.port", "endpoint.socketPath", "endpoint.filePath", "endpoint.database", "endpoint.user",
        "password.value", "password.command", "tls", "tls.caFile", "tls.clientCertificate", "tls.clientCertificate.certificateFile",
        "tls.clientCertificate.keyFile", "tls.keyPassphrase",
    ]
    public static let fieldsUnderAdvanced = [
        "externalClients", "timeZone", "tunnel", "tunnel.destination", "tunnel.jumps", "tunnel.keyFile", "tunnel.command",
        "sshPassphrase", "sshPassword", "statementTimeoutSeconds", "rowLimit", "writeRowLimit", "group", "tags",
    ]

    /// Nil for a new connection.
    public let saved: ConnectionView?
    public var id: String { saved?.id ?? "" }
    public let base: PathBase
    public var fields: Fields {
        didSet {
            fields.tlsMode = tlsMode(after: oldValue)
            if fields != oldValue { refusal = nil }
        }
    }
    let former: Fields
    /// Why the daemon did not save or test it. Cleared by the next change.
    public private(set) var refusal: FormRefusal?
    /// What was wrong with the pasted URL. It never repeats the URL.
    public private(set) var urlProblem: String?
    /// The parts of the pasted URL that no field holds.
    public private(set) var urlNotes: [String] = []

    public init(new base: PathBase) {
        saved = nil
        self.base = base
        fields = Fields()
        former = fields
    }

    public init(editing connection: ConnectionView, base: PathBase) {
        saved = connection
        self.base = base
        fields = Fields(connection)
        former = fields
    }

    /// Whether there is anything to save.
    public var isChanged: Bool { saved == nil || fields != former }

    public mutating func refused(_ failure: ControlClient.Failure) {
        refusal = FormRefusal(failure)
    }

    /// - Parameter field: nil for a problem of no shown field.
    public func problem(_ field: String?) -> String? { refusedField == field ? refusal?.sentence : nil }

    /// For an element of a list: the list.
    public var refusedField: String? {
        let parts = refusal?.path?.pieces(at: ".").filter { Int($0) == nil }
        return (ConnectionForm.fieldsUnderGeneral + ConnectionForm.fieldsUnderAdvanced).first {
            $0 == parts?.joined(separator: ".")
        }
    }

    /// Has the daemon parse a pasted URL, for `paste`.
    public func reading(url: String) -> Command.ConnectionsParse {
        Command.ConnectionsParse(url: url, home: base.home)
    }

    /// Puts the parts of a pasted URL into the fields, and its password into the password field.
    /// The name stays.
    public mutating func paste(_ read: Result<ConnectionUrlView, ControlClient.Failure>) {
        urlNotes = []
        switch read {
        case .failure(let failure): urlProblem = failure.sentence
        case .success(let parsed):
            guard saved == nil || saved?.engine == parsed.endpoint.engine else {
                urlProblem = localized("A connection can't change its kind of database; add a new connection instead.")
                return
            }
            urlProblem = nil
            take(parsed)
        }
    }

    private mutating func take(_ parsed: ConnectionUrlView) {
        var read = fields
        read.take(parsed.endpoint, parsed.tls, parsed.tunnel, parsed.targetServers)
        read.signInMethods = parsed.signInMethods
        if let password = parsed.password { (read.passwordKind, read.password) = (.typed, password) }
        if let timeZone = parsed.timeZone { read.timeZone = timeZone }
        if parsed.passwordIsPlaceholder == true { (read.passwordKind, read.password) = (.typed, "") }
        // In one step: a half-changed place would count as another one.
        fields = read
        if let mode = parsed.tls.mode { fields.tlsMode = mode }
        if parsed.passwordIsPlaceholder == true {
            urlNotes.append(localized("A placeholder stands in the password's place; type the password."))
        }
        if case .ssh(let tunnel) = parsed.tunnel {
            urlNotes.append(localized("It goes through SSH, by \(ShownText.name(tunnel.destination))."))
        }
        if let note = parsed.ignoredNote { urlNotes.append(note) }
    }
}

extension ConnectionUrlView {
    /// Tells of options without effect. Nil if there are none.
    var ignoredNote: String? {
        let names = ignored.joined(separator: ",").listed
        if names.isEmpty { return nil }
        let shown = listed(names)
        return names.count == 1
            ? localized("\(shown) in the URL has no effect here.") : localized("\(shown) in the URL have no effect here.")
    }
}

extension ConnectionForm.Fields {
    init(_ connection: ConnectionView) {
        name = connection.name
        let tls = ConnectionUrlTls(
            mode: connection.tls.mode, caFile: connection.tls.caFile, clientCertificate: connection.tls.clientCertificate)
        take(connection.endpoint, tls, connection.tunnel, connection.targetServers)
        signInMethods = connection.signInMethods
        databases = connection.databases
        statementTimeoutSeconds = connection.statementTimeoutSeconds.map(String.init) ?? ""
        rowLimit = connection.rowLimit.map(String.init) ?? ""
        writeRowLimit = connection.writeRowLimit.map(String.init) ?? ""
        timeZone = connection.timeZone ?? ""
        colour = connection.colour
        group = connection.group ?? ""
        tags = connection.tags.joined(separator: ", ")
        externalClients = connection.externalClients.level
        if externalClients == .readWrite { writeDuration = nil }
        aiPolicy = connection.aiPolicy
        switch connection.password {
        case .none: passwordKind = .none
        case .stored: passwordKind = .kept
        case .command(let command): (passwordKind, passwordCommand) = (.command, command)
        }
    }

    /// Takes the place and the way there.
    mutating func take(_ endpoint: Endpoint, _ tls: ConnectionUrlTls, _ tunnel: Tunnel?, _ servers: TargetServers?) {
        engine = endpoint.engine
        place = endpoint.socketPath == nil ? .host : .socket
        host = endpoint.host ?? ""
        port = endpoint.port.map(String.init) ?? ""
        socketPath = endpoint.socketPath ?? ""
        filePath = endpoint.filePath ?? ""
        database = endpoint.database ?? ""
        user = endpoint.user ?? ""
        tlsMode = tls.mode
        caFile = tls.caFile ?? ""
        certificateFile = tls.clientCertificate?.certificateFile ?? ""
        keyFile = tls.clientCertificate?.keyFile ?? ""
        take(tunnel)
        targetServers = servers
    }
}
