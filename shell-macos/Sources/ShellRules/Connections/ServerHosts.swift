/// The servers of one connection, written where one host stands: `h1,h2:5433,[::1]:5434`.
enum ServerHosts {
    private static let most = 16

    /// Nil where they can't be read. A text without a comma is one host, as it stands.
    static func names(in text: String) -> [String]? {
        guard text.has(",") else { return [text] }
        let parts = text.pieces(at: ",")
        let names = parts.compactMap(name)
        return names.count == parts.count && names.count <= most ? names : nil
    }

    /// Whether none of them is on another machine.
    static func areAllHere(_ text: String) -> Bool {
        names(in: text)?.allSatisfy(isLoopback) ?? false
    }

    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1"].contains(host.asciiLowercased) { return true }
        let numbers = host.pieces(at: ".")
        if numbers.count == 4, numbers.allSatisfy({ WholeNumber.read(String($0), within: 0...255) != nil }) {
            return numbers[0] == "127"
        }
        let groups = host.pieces(at: ":").map { Int($0, radix: 16) }
        return groups == [0, 0, 0, 0, 0, 0, 0, 1]
    }

    /// Without its port. An address of IPv6 stands in brackets, or without a port.
    private static func name(_ part: Substring) -> String? {
        var name = part
        var port: Substring?
        if part.begins(with: "["), let (inside, rest) = part.cut(atLast: "]") {
            name = inside.without(first: 1)
            guard !name.isEmpty, isAddress(name), rest.isEmpty || rest.begins(with: ":") else { return nil }
            port = rest.isEmpty ? nil : rest.without(first: 1)
        } else if part.pieces(at: ":").count <= 2 {
            (name, port) = part.cut(at: ":")
            guard !name.isEmpty, !part.has("["), !part.has("]") else { return nil }
        } else if !isAddress(part) {
            return nil
        }
        let isPort = port.map { WholeNumber.read(String($0), within: 1...65_535, mostDigits: 5) != nil } ?? true
        return isPort ? String(name) : nil
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isHexadecimal || $0 == ":" || $0 == "." }
    }
}
