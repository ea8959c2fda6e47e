/// The servers of one connection, written where one host stands: `h1,h2:5433,[::1]:5434`. Part of `ServerURL`.
enum ServerHosts {
    private static let most = 16

    static var notAPort: RefusedURL {
        RefusedURL("The port in the URL is not a number from 1 to 65535; \(ServerURL.encodingHint).")
    }

    static func port(_ typed: String) -> Int? { WholeNumber.read(typed, within: 1...65_535, mostDigits: 5) }

    /// Ports stand with their hosts, or beside them as libpq has it: `host=h1,h2 port=1,2`, or one for all.
    static func read(_ given: URLOptions.Given) throws(RefusedURL) -> URLOptions.Given {
        guard let typed = given[.host], typed.has(",") else { return given }
        if typed.has("/") {
            throw RefusedURL("A socket is not tried in turn with other servers; name the socket alone, or hosts alone.")
        }
        guard let hosts = hosts(in: typed) else {
            throw RefusedURL("The hosts in the URL can't be read: at most \(number: most), as h1:5432,h2 or [::1]:5432,h2.")
        }
        var merged = given
        guard let ports = given[.port]?.pieces(at: ","), ports.count > 1 else {
            merged[.host] = text(hosts)
            return merged
        }
        if ports.count != hosts.count { throw RefusedURL("The URL names more ports than hosts, or fewer.") }
        if ports.contains(where: { !$0.isEmpty && port(String($0)) == nil }) { throw notAPort }
        merged[.host] = text(zip(hosts, ports).map { ($0.host, port(String($1)) ?? $0.port) })
        merged[.port] = nil
        return merged
    }

    /// Nil where they can't be read. A text without a comma is one host, as it stands.
    static func names(in text: String) -> [String]? {
        text.has(",") ? hosts(in: text)?.map { $0.host } : [text]
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

    private static func hosts(in text: String) -> [(host: String, port: Int?)]? {
        let parts = text.pieces(at: ",")
        let hosts = parts.compactMap { host($0) }
        return hosts.count == parts.count && hosts.count <= most ? hosts : nil
    }

    /// An address of IPv6 stands in brackets, or without a port.
    private static func host(_ part: Substring) -> (host: String, port: Int?)? {
        var name = part
        var typed: Substring?
        if part.begins(with: "["), let (inside, rest) = part.cut(atLast: "]") {
            name = inside.without(first: 1)
            guard !name.isEmpty, isAddress(name), rest.isEmpty || rest.begins(with: ":") else { return nil }
            typed = rest.isEmpty ? nil : rest.without(first: 1)
        } else if part.pieces(at: ":").count <= 2 {
            let (before, after) = part.cut(at: ":")
            guard !before.isEmpty, !part.has("["), !part.has("]") else { return nil }
            (name, typed) = (before, after)
        } else if !isAddress(part) {
            return nil
        }
        guard let typed else { return (String(name), nil) }
        return port(String(typed)).map { (String(name), $0) }
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { $0.isHexadecimal || $0 == ":" || $0 == "." }
    }

    private static func text(_ hosts: [(host: String, port: Int?)]) -> String {
        hosts.map { host, port in (host.has(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "") }.joined(separator: ",")
    }
}
