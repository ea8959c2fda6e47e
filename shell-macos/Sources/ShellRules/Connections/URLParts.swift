/// What reading a connection's URL is made of: the result, decoding, and making paths absolute. Touches no file.
public struct ParsedConnection: Codable, Equatable, Sendable {
    public struct TLS: Codable, Equatable, Sendable {
        /// Nil where the URL says nothing.
        @OrNull public var mode: TLSMode?
        @OrNull public var caFile: String?
        public var clientCertificate: ClientCertificate?
    }

    public var endpoint: Endpoint
    /// Nil where any server will do.
    public var targetServers: TargetServers?
    public var tls: TLS
    @OrNull public var password: String?
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
