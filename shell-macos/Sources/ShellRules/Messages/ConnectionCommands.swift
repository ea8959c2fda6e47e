/// Commands about connections. A connection is named by its id or its name.

extension Command {
    public struct ListConnections: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var connections: [ConnectionView]
            /// Where the next page begins; nil at the end.
            @OrNull public var next: Int?
        }
        public static let method = ControlMethod.listConnections
        public var from: Int?
        public init(from: Int? = nil) { self.from = from }
    }

    public struct ShowConnection: ControlCommand {
        public typealias Answer = ConnectionView
        public static let method = ControlMethod.showConnection
        public var connection: String
        public init(connection: String) { self.connection = connection }
    }

    /// Nobody reaches it from then on.
    public struct DeleteConnection: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var id: String
            public var name: String
            /// ISO 8601: until when it can be restored; nil for one that can't be.
            @OrNull public var keptUntil: String?
        }
        public static let method = ControlMethod.deleteConnection
        public var connection: String
        public init(connection: String) { self.connection = connection }
    }

    /// Those that can be restored, the last removed first.
    public struct ListRemovedConnections: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var removed: [RemovedConnectionView]
            /// Where the next page begins; nil at the end.
            @OrNull public var next: Int?
        }
        public static let method = ControlMethod.listRemovedConnections
        public var from: Int?
        public init(from: Int? = nil) { self.from = from }
    }

    /// Brings a removed one back as it was. A privilege increase.
    public struct RestoreConnection: ControlCommand {
        public typealias Answer = ConnectionView
        public static let method = ControlMethod.restoreConnection
        public var connection: String
        public init(connection: String) { self.connection = connection }
    }

    /// Dials. A connection that can't be reached is an answer, not an error.
    public struct TestConnection: ControlCommand {
        public typealias Answer = ConnectionTestResult
        public static let method = ControlMethod.testConnection
        public var connection: String
        public init(connection: String) { self.connection = connection }
    }

    /// Plans a role with just the rights that the connection needs; with `apply`, the digest of what was shown, it is made.
    public struct FitRole: ControlCommand {
        public struct Step: Codable, Equatable, Sendable {
            public var why: String
            public var statements: [String]
        }
        public struct Answer: Codable, Equatable, Sendable {
            public var id: String
            public var name: String
            public var engine: Engine
            public var role: String
            public var access: ExternalClientsLevel
            public var steps: [Step]
            public var notes: [String]
            public var digest: String
            public var applied: Bool
        }
        public static let method = ControlMethod.fitRole
        public var connection: String
        public var access: ExternalClientsLevel?
        public var schemas: [String]?
        public var role: String?
        public var apply: String?

        public init(connection: String) {
            self.connection = connection
        }
    }

    /// A new connection (`name` and `endpoint` needed), or what changes of a saved one; what is left out stays.
    public struct SaveConnection: ControlCommand {
        public typealias Answer = ConnectionView
        public static let method = ControlMethod.saveConnection
        public var connection: String?
        public var name: String?
        /// Replaces the former endpoint as a whole.
        public var endpoint: Endpoint?
        /// A SQLite file that is missing or empty is made a database.
        public var create: Bool?
        public var tls: ConnectionTLSChange?
        public var databases: Databases?
        public var targetServers: Change<TargetServers> = .keep
        public var password: PasswordChange?
        public var statementTimeoutSeconds: Change<Int> = .keep
        public var rowLimit: Change<Int> = .keep
        public var writeRowLimit: Change<Int> = .keep
        public var timeZone: Change<String> = .keep
        public var colour: Change<String> = .keep
        public var group: Change<String> = .keep
        public var tags: [String]?
        public var externalClients: ConnectionExternalClientsChange?
        public var aiPolicy: AIPolicy?

        public init(connection: String? = nil) {
            self.connection = connection
        }
    }

    /// What the statement is on this connection. Nothing is run.
    public struct ClassifyStatement: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var `class`: String
            public var reason: String
            public var tables: [String]
            public var calls: [String]
        }
        public static let method = ControlMethod.classifyStatement
        public var connection: String
        public var sql: String

        public init(connection: String, sql: String) {
            self.connection = connection
            self.sql = sql
        }
    }
}

extension Command.SaveConnection {
    private enum Member: String, CodingKey {
        case connection, name, endpoint, create, tls, databases, targetServers, password, statementTimeoutSeconds, rowLimit
        case writeRowLimit, timeZone, colour, group, tags, externalClients, aiPolicy
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        connection = try members.decodeIfPresent(String.self, forKey: .connection)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        endpoint = try members.decodeIfPresent(Endpoint.self, forKey: .endpoint)
        create = try members.decodeIfPresent(Bool.self, forKey: .create)
        tls = try members.decodeIfPresent(ConnectionTLSChange.self, forKey: .tls)
        databases = try members.decodeIfPresent(Databases.self, forKey: .databases)
        targetServers = try members.change(TargetServers.self, forKey: .targetServers)
        password = try members.decodeIfPresent(PasswordChange.self, forKey: .password)
        statementTimeoutSeconds = try members.change(Int.self, forKey: .statementTimeoutSeconds)
        rowLimit = try members.change(Int.self, forKey: .rowLimit)
        writeRowLimit = try members.change(Int.self, forKey: .writeRowLimit)
        timeZone = try members.change(String.self, forKey: .timeZone)
        colour = try members.change(String.self, forKey: .colour)
        group = try members.change(String.self, forKey: .group)
        tags = try members.decodeIfPresent([String].self, forKey: .tags)
        externalClients = try members.decodeIfPresent(ConnectionExternalClientsChange.self, forKey: .externalClients)
        aiPolicy = try members.decodeIfPresent(AIPolicy.self, forKey: .aiPolicy)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encodeIfPresent(connection, forKey: .connection)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(endpoint, forKey: .endpoint)
        try members.encodeIfPresent(create, forKey: .create)
        try members.encodeIfPresent(tls, forKey: .tls)
        try members.encodeIfPresent(databases, forKey: .databases)
        try members.encode(targetServers, forKey: .targetServers)
        try members.encodeIfPresent(password, forKey: .password)
        try members.encode(statementTimeoutSeconds, forKey: .statementTimeoutSeconds)
        try members.encode(rowLimit, forKey: .rowLimit)
        try members.encode(writeRowLimit, forKey: .writeRowLimit)
        try members.encode(timeZone, forKey: .timeZone)
        try members.encode(colour, forKey: .colour)
        try members.encode(group, forKey: .group)
        try members.encodeIfPresent(tags, forKey: .tags)
        try members.encodeIfPresent(externalClients, forKey: .externalClients)
        try members.encodeIfPresent(aiPolicy, forKey: .aiPolicy)
    }
}
