import Foundation

/// The connection editor (spec §6): what stands in its fields, and what of that is to be saved.
/// What is asked of the daemon is made in `ConnectionFormSaving`; what is wrong with a field, in
/// `ConnectionFormProblems`.
public struct ConnectionForm: Equatable, Sendable {
    public enum Place: String, CaseIterable, Sendable {
        case host, socket
    }

    public enum Password: Equatable, Sendable {
        /// As it was: none for a new connection.
        case keep
        case none
        case typed(String)
        case command(String)
    }

    /// How long `readWrite` is to last from the moment of saving.
    public enum WriteDuration: String, CaseIterable, Identifiable, Sendable {
        case halfHour, tonight, noEnd

        public var id: String { rawValue }

        /// - Parameter calendar: the person's, whose day ends tonight.
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

        public var label: String {
            switch self {
            case .halfHour: localized("For 30 minutes")
            case .tonight: localized("Until tonight")
            case .noEnd: localized("Until I take it back")
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
        public var password = Password.keep
        /// Nil for the default of such a place.
        public var tlsMode: TlsMode?
        public var caFile = ""
        public var certificateFile = ""
        public var keyFile = ""
        /// Typed; empty leaves what is kept.
        public var keyPassphrase = ""
        /// Nil for the engine's default.
        public var databases: Databases?
        /// Nil where this machine reaches the server by itself. Of a pasted URL, or as it is saved.
        public var tunnel: Tunnel?
        /// Nil where any server will do.
        public var targetServers: TargetServers?
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
        public var writeDuration: WriteDuration?
        public var aiPolicy = AiPolicy.always
    }

    public enum Field: Hashable, Sendable {
        case url, name, host, port, socketPath, filePath, database, user, password, tls, caFile, certificateFile, keyFile
        case keyPassphrase, statementTimeoutSeconds, rowLimit, writeRowLimit, timeZone, colour, group, tags, externalClients
    }

    /// Nil for a new connection.
    public let saved: ConnectionView?
    public let base: PathBase
    public var fields: Fields { didSet { fields.tlsMode = tlsMode(after: oldValue) } }
    let former: Fields
    /// What was wrong with the pasted URL; it is never repeated.
    public private(set) var urlProblem: String?
    /// What of the pasted URL is not in the fields.
    public private(set) var urlNotes: [String] = []

    public init(new base: PathBase) {
        saved = nil
        self.base = base
        fields = Fields()
        fields.writeDuration = .halfHour
        former = fields
    }

    public init(editing connection: ConnectionView, base: PathBase) {
        saved = connection
        self.base = base
        fields = Fields(connection)
        // What the editor shows, and asks for, once clients may write; nothing to save by itself.
        if connection.externalClients.level != .readWrite { fields.writeDuration = .halfHour }
        former = fields
    }

    /// Whether there is anything to save.
    public var isChanged: Bool { saved == nil || fields != former }

    /// Has the daemon take a pasted URL apart, for `paste`.
    public func reading(url: String) -> Command.ConnectionsParse {
        Command.ConnectionsParse(url: url, home: base.home)
    }

    /// Puts what a pasted URL says into the fields, its password into the password's. The name is
    /// left alone.
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
        let endpoint = parsed.endpoint
        fields.engine = endpoint.engine
        fields.place = endpoint.socketPath == nil ? .host : .socket
        fields.host = endpoint.host ?? ""
        fields.port = endpoint.port.map(String.init) ?? ""
        fields.socketPath = endpoint.socketPath ?? ""
        fields.filePath = endpoint.filePath ?? ""
        fields.database = endpoint.database ?? ""
        fields.user = endpoint.user ?? ""
        fields.tunnel = parsed.tunnel
        fields.targetServers = parsed.targetServers
        fields.tlsMode = parsed.tls.mode
        fields.caFile = parsed.tls.caFile ?? ""
        fields.certificateFile = parsed.tls.clientCertificate?.certificateFile ?? ""
        fields.keyFile = parsed.tls.clientCertificate?.keyFile ?? ""
        if let password = parsed.password { fields.password = .typed(password) }
        if let timeZone = parsed.timeZone { fields.timeZone = timeZone }
        if parsed.passwordIsPlaceholder == true {
            fields.password = .typed("")
            urlNotes.append(localized("A placeholder stands in the password's place; type the password."))
        }
        if case .ssh(let tunnel) = parsed.tunnel {
            urlNotes.append(localized("It goes through SSH, by \(ShownText.name(tunnel.destination))."))
        }
        if let note = parsed.ignoredNote { urlNotes.append(note) }
    }
}

extension ConnectionUrlView {
    /// What to tell a person of options that have no effect; nil where there are none.
    var ignoredNote: String? {
        let names: [String] = ignored.reduce(into: []) { kept, name in if !kept.contains(name) { kept.append(name) } }
        if names.isEmpty { return nil }
        let shown = listed(names)
        return names.count == 1
            ? localized("\(shown) in the URL has no effect here.") : localized("\(shown) in the URL have no effect here.")
    }
}

extension ConnectionForm.Fields {
    init(_ connection: ConnectionView) {
        name = connection.name
        engine = connection.engine
        place = connection.socketPath == nil ? .host : .socket
        host = connection.host ?? ""
        port = connection.port.map(String.init) ?? ""
        socketPath = connection.socketPath ?? ""
        filePath = connection.filePath ?? ""
        database = connection.database ?? ""
        user = connection.user ?? ""
        tlsMode = connection.tls.mode
        caFile = connection.tls.caFile ?? ""
        certificateFile = connection.tls.clientCertificate?.certificateFile ?? ""
        keyFile = connection.tls.clientCertificate?.keyFile ?? ""
        databases = connection.databases
        tunnel = connection.tunnel
        targetServers = connection.targetServers
        statementTimeoutSeconds = connection.statementTimeoutSeconds.map(String.init) ?? ""
        rowLimit = connection.rowLimit.map(String.init) ?? ""
        writeRowLimit = connection.writeRowLimit.map(String.init) ?? ""
        timeZone = connection.timeZone ?? ""
        colour = connection.colour
        group = connection.group ?? ""
        tags = connection.tags.joined(separator: ", ")
        externalClients = connection.externalClients.level
        aiPolicy = connection.aiPolicy
        if case .command(let command) = connection.password { password = .command(command) }
    }
}
