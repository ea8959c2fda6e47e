/// The folders that make relative paths absolute.
public struct PathBase: Equatable, Sendable {
    public let folder: String
    public let home: String

    public init(folder: String, home: String) {
        self.folder = folder
        self.home = home
    }

    /// Stays as typed if it can't be made absolute, such as `~somebody`. The daemon then refuses
    /// it.
    func path(_ typed: String) -> String {
        if typed == "~" { return home }
        if typed.begins(with: "~/") { return Paths.resolve(String(typed.without(first: 2)), against: home) }
        return typed.isEmpty || typed.begins(with: "~") ? typed : Paths.resolve(typed, against: folder)
    }
}
