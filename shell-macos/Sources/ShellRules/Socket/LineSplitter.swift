/// Cuts a byte stream into lines of bounded length.
struct LineSplitter {
    struct TooLong: Error {}

    private let maxLineBytes: Int
    private var part: [UInt8] = []

    init(maxLineBytes: Int) {
        self.maxLineBytes = maxLineBytes
    }

    /// Handles split characters and CRLF. Drops empty lines.
    /// - Throws: `TooLong` if a line, finished or not, is over the limit. The connection is then
    ///   useless.
    mutating func push(_ chunk: [UInt8]) throws -> [String] {
        var lines: [String] = []
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try take(rest[..<end])
            rest = rest[(end + 1)...]
            if part.last == UInt8(ascii: "\r") { part.removeLast() }
            if !part.isEmpty { lines.append(String(decoding: part, as: UTF8.self)) }
            part.removeAll(keepingCapacity: true)
        }
        try take(rest)
        return lines
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws {
        if part.count + bytes.count > maxLineBytes { throw TooLong() }
        part.append(contentsOf: bytes)
    }
}
