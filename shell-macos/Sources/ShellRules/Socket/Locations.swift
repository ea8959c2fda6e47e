import Foundation

/// The paths of one home (spec §1), computed as the daemon does. Reads no file's content.
public struct Locations: Equatable, Sendable {
    public let home: String
    public let controlSocket: String
    /// The folder of the socket: `home`, or a private one under /tmp if the path would be too long.
    public let controlSocketFolder: String
    public let secrets: String
    /// The file that says where the secrets are.
    public let storeRecord: String

    /// SALLYPORT_HOME names no folder. With a sentence.
    public struct MisnamedHome: Error, Equatable, Sendable {
        public let problem: String
    }

    /// - Parameter environment: only SALLYPORT_HOME and HOME count.
    public init(environment: [String: String], accountHome: String = NSHomeDirectory()) throws(MisnamedHome) {
        self.init(home: try Locations.home(environment, accountHome))
    }

    /// - Parameter home: absolute.
    public init(home: String) {
        self.home = home
        controlSocketFolder = Locations.socketFolder(home)
        controlSocket = Paths.join(controlSocketFolder, "control.sock")
        secrets = Paths.join(home, "secrets.json")
        storeRecord = Paths.join(home, "store.json")
    }

    private static func home(_ environment: [String: String], _ accountHome: String) throws(MisnamedHome) -> String {
        let userHome = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? accountHome
        if let named = environment["SALLYPORT_HOME"], !named.isEmpty {
            // No command shell has expanded the value, and the app's current folder is arbitrary.
            let folder = named == "~" || named.begins(with: "~/") ? userHome + named.without(first: 1) : named
            if folder.begins(with: "/") { return Paths.resolve(folder, against: "/") }
            let shown = ShownText.oneLine(named)
            throw MisnamedHome(
                problem: localized("SALLYPORT_HOME is \(shown), which is not a whole path; begin it with / or ~/."))
        }
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
        // Not this process's temporary folder: it differs between a terminal, a LaunchAgent and a
        // client's child.
        return "/tmp/sallyport-\(getuid())-\(digits)"
    }

    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
