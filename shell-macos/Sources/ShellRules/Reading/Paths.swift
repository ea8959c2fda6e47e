/// POSIX paths as text. Reads no file system.
enum Paths {
    static func join(_ folder: String, _ name: String) -> String {
        folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
    }

    /// Absolute, without `.`, `..` and empty parts.
    static func resolve(_ path: String, against folder: String) -> String {
        let whole = path.begins(with: "/") ? path : "\(folder)/\(path)"
        var parts: [Substring] = []
        for part in whole.pieces(at: "/") where !part.isEmpty && part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
