/// What reading a connection's URL is made of: the result, decoding, and making paths absolute. Touches no file.
public struct ParsedConnection: Codable, Equatable, Sendable {
    public struct TLS: Codable, Equatable, Sendable {
        /// Nil where the URL says nothing.
        @OrNull public var mode: TlsMode?
        @OrNull public var caFile: String?
        public var clientCertificate: ClientCertificate?
    }

    public var endpoint: Endpoint
    /// Nil where any server will do.
    public var targetServers: TargetServers?
    public var tls: TLS
    @OrNull public var password: String?
    /// True where a placeholder stands in the password's place, else nil: there is a password, and it must be asked for.
    public var passwordIsPlaceholder: Bool?
    /// Nil where the server's own holds.
    public var timeZone: String?
    /// The names of options that have no effect here.
    public var ignored: [String]
}

extension ParsedConnection {
    /// What to tell a person of options that have no effect; nil where there are none.
    var ignoredNote: String? {
        let names: [String] = ignored.reduce(into: []) { kept, name in if !kept.contains(name) { kept.append(name) } }
        if names.isEmpty { return nil }
        let shown = listed(names)
        return names.count == 1
            ? localized("\(shown) in the URL has no effect here.") : localized("\(shown) in the URL have no effect here.")
    }
}

public struct RefusedURL: Error, Equatable, Sendable {
    /// One sentence, without any part of the URL but its scheme and the names of its options.
    public let problem: String

    init(_ wording: Wording) { problem = localized(wording) }
}

/// What relative paths are made absolute against.
public struct PathBase: Equatable, Sendable {
    public let folder: String
    public let home: String

    public init(folder: String, home: String) {
        self.folder = folder
        self.home = home
    }

    /// Nil for `~somebody`, whose home is not ours to know.
    func absolute(_ path: String) -> String? {
        if path == "~" { return home }
        if path.begins(with: "~/") { return Paths.resolve(String(path.without(first: 2)), against: home) }
        return path.begins(with: "~") ? nil : Paths.resolve(path, against: folder)
    }
}
