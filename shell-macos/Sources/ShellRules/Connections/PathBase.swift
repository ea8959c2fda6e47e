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
