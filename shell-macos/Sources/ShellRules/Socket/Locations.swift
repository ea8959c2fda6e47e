import Foundation

/// The paths of one home (spec §1), computed as the daemon does. Reads no file's content.
public struct Locations: Equatable, Sendable {
    public let home: String
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
        secrets = Paths.join(home, "secrets.json")
        storeRecord = Paths.join(home, "store.json")
    }

    public var controlSocket: String { Paths.join(controlSocketFolder, "control.sock") }

    /// The folder of the socket: `home`, or a private one elsewhere if the path would be too long.
    /// The daemon may have made it anew, so each use looks.
    public var controlSocketFolder: String {
        if Paths.join(home, "control.sock").utf8.count <= UnixSocket.maxPathBytes { return home }
        let digest = Hashing.sha256(Array(Locations.realPath(home).utf8)).prefix(8)
        let digits = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        // The home names a folder under /tmp, where anybody may make one.
        let random = #"[0-9a-f]{16}"#
        if case .read(let name) = PrivateFiles.readOwn(Paths.join(home, "socket-folder"), maxBytes: 1_024),
            name.range(of: "^/tmp/sallyport-\(digits)-\(random)$", options: .regularExpression) == name.startIndex..<name.endIndex,
            PrivateFiles.isOwnFolder(name)
        {
            return name
        }
        return "/run/user/\(getuid())/sallyport-\(digits)"
    }

    private static func home(_ environment: [String: String], _ accountHome: String) throws(MisnamedHome) -> String {
        let userHome = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? accountHome
        if let named = environment["SALLYPORT_HOME"], !named.isEmpty {
            // No command shell has expanded the value, and the app's current folder is arbitrary.
            let folder = named == "~" || named.begins(with: "~/") ? userHome + named.without(first: 1) : named
            if folder.begins(with: "/") { return Paths.resolve(folder, against: "/") }
            throw MisnamedHome(
                problem: localized("SALLYPORT_HOME is \(named), which is not a whole path; begin it with / or ~/."))
        }
        #if os(macOS)
            return Paths.join(userHome, "Library/Application Support/Sallyport")
        #else
            return Paths.join(userHome, ".local/share/sallyport")
        #endif
    }

    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
