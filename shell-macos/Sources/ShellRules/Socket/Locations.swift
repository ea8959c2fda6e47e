import Foundation

/// Where everything of one home lives (spec §1), computed as the daemon does. Reads no file's content.
public struct Locations: Equatable, Sendable {
    public let home: String
    public let controlSocket: String
    /// The folder the socket is in: `home`, or a private one under /tmp where the path would not fit.
    public let controlSocketFolder: String
    public let secrets: String
    /// Says where the secrets are.
    public let storeRecord: String

    /// - Parameter environment: only SALLYPORT_HOME and HOME count.
    public init(environment: [String: String], accountHome: String = NSHomeDirectory()) {
        self.init(home: Locations.home(environment, accountHome))
    }

    /// - Parameter home: absolute.
    public init(home: String) {
        self.home = home
        controlSocketFolder = Locations.socketFolder(home)
        controlSocket = Paths.join(controlSocketFolder, "control.sock")
        secrets = Paths.join(home, "secrets.json")
        storeRecord = Paths.join(home, "store.json")
    }

    private static func home(_ environment: [String: String], _ accountHome: String) -> String {
        if let named = environment["SALLYPORT_HOME"], !named.isEmpty {
            return Paths.resolve(named, against: FileManager.default.currentDirectoryPath)
        }
        let userHome = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? accountHome
        #if os(macOS)
            return Paths.join(userHome, "Library/Application Support/Sallyport")
        #else
            return Paths.join(userHome, ".local/share/sallyport")
        #endif
    }

    private static func socketFolder(_ home: String) -> String {
        if Paths.join(home, "control.sock").utf8.count <= UnixSocket.maxPathBytes { return home }
        let digest = SHA256.digest(Array(realPath(home).utf8)).prefix(8)
        let digits = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        // Not the temporary folder of this process: it differs between a terminal, a LaunchAgent and an MCP client's child.
        return "/tmp/sallyport-\(getuid())-\(digits)"
    }

    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
