/// Connections as the daemon tells of them and is asked to save them (spec §6). No password is in what it tells.

/// Where a database is. `socketPath` wins over host and port; `filePath` is SQLite's; both are absolute.
public struct Endpoint: Codable, Equatable, Sendable {
    public var engine: Engine
    @OrNull public var host: String?
    @OrNull public var port: Int?
    @OrNull public var socketPath: String?
    @OrNull public var filePath: String?
    @OrNull public var database: String?
    @OrNull public var user: String?

    public init(
        engine: Engine, host: String? = nil, port: Int? = nil, socketPath: String? = nil, filePath: String? = nil,
        database: String? = nil, user: String? = nil
    ) {
        self.engine = engine
        self.host = host
        self.port = port
        self.socketPath = socketPath
        self.filePath = filePath
        self.database = database
        self.user = user
    }
}

/// Which of several PostgreSQL servers will do: libpq's `target_session_attrs` but for `any`, which is to ask nothing.
public enum TargetServers: String, CaseIterable, Codable, Sendable {
    case readWrite = "read-write"
    case readOnly = "read-only"
    case primary, standby
    case preferStandby = "prefer-standby"
}

/// What is shown to the server: PEM files, by absolute paths.
public struct ClientCertificate: Codable, Equatable, Sendable {
    public var certificateFile: String
    public var keyFile: String
}

public struct ConnectionTLS: Codable, Equatable, Sendable {
    public var mode: TLSMode
    @OrNull public var caFile: String?
    public var clientCertificate: ClientCertificate?
}

/// Where the password comes from; `command` is the user's own command line.
public enum PasswordSource: Equatable, Sendable {
    case none
    case stored
    case command(String)
}

public struct ConnectionExternalClients: Codable, Equatable, Sendable {
    public var level: ExternalClientsLevel
    /// ISO 8601: until when `readWrite` lasts; nil for no end.
    @OrNull public var writeUntil: String?
    /// What `level` comes to at this moment.
    public var now: ExternalClientsLevel
}

/// One that was removed, as long as it can be restored.
public struct RemovedConnectionView: Codable, Equatable, Sendable {
    public var connection: ConnectionView
    /// ISO 8601; from `keptUntil` on it is gone for good, with its secrets.
    public var removedAt: String
    public var keptUntil: String
}

public struct ConnectionView: Codable, Equatable, Identifiable, Sendable {
    public var id: String
    public var name: String
    public var engine: Engine
    @OrNull public var host: String?
    @OrNull public var port: Int?
    @OrNull public var socketPath: String?
    @OrNull public var filePath: String?
    @OrNull public var database: String?
    @OrNull public var user: String?
    public var databases: Databases
    /// Nil where any server will do.
    public var targetServers: TargetServers?
    public var tls: ConnectionTLS
    public var password: PasswordSource
    public var revision: Int
    @OrNull public var statementTimeoutSeconds: Int?
    @OrNull public var rowLimit: Int?
    @OrNull public var writeRowLimit: Int?
    /// Of its sessions: a name or an offset; nil for the server's own.
    @OrNull public var timeZone: String?
    @OrNull public var colour: String?
    @OrNull public var group: String?
    public var tags: [String]
    public var externalClients: ConnectionExternalClients
    public var aiPolicy: AIPolicy
    public var createdAt: String
    public var updatedAt: String

    public var endpoint: Endpoint {
        Endpoint(
            engine: engine, host: host, port: port, socketPath: socketPath, filePath: filePath, database: database,
            user: user)
    }
}

public enum PasswordChange: Equatable, Sendable {
    case none
    case stored(String)
    case command(String)
}

/// What is asked of a field that may also be emptied.
public enum Change<Value: Codable & Equatable & Sendable>: Equatable, Sendable {
    case keep
    case clear
    case set(Value)
}

public struct ConnectionExternalClientsChange: Codable, Equatable, Sendable {
    public var level: ExternalClientsLevel
    /// Only with `readWrite`; left out for no end.
    public var forSeconds: Int?

    public init(level: ExternalClientsLevel, forSeconds: Int? = nil) {
        self.level = level
        self.forSeconds = forSeconds
    }
}

public struct ConnectionTLSChange: Equatable, Sendable {
    public var mode: TLSMode?
    public var caFile: Change<String>
    public var clientCertificate: Change<ClientCertificate> = .keep
    /// Opens the client key; left out, what is kept stays.
    public var keyPassphrase: String?

    public init(mode: TLSMode? = nil, caFile: Change<String> = .keep) {
        self.mode = mode
        self.caFile = caFile
    }
}

public enum ConnectionTestResult: Equatable, Sendable {
    case reachable(ReachableDatabase)
    /// `problem` is a sentence.
    case unreachable(name: String, problem: String)
}

public struct ReachableDatabase: Codable, Equatable, Sendable {
    public var name: String
    public var serverVersion: String
    @OrNull public var currentUser: String?
    @OrNull public var currentDatabase: String?
    @OrNull public var currentSchema: String?
    public var latencyMilliseconds: Double
    public var warnings: [String]
}
