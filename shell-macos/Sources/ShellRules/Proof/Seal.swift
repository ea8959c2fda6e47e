/// The seal on every line after both proofs. Each side counts its lines, and a forged, replayed or
/// reordered line ends the connection.
struct Seal {
    private let sessionKey: String
    private let side: Proofs.Side
    private var sent = 0
    private var received = 0

    init(sessionKey: String, side: Proofs.Side = .shell) {
        self.sessionKey = sessionKey
        self.side = side
    }

    mutating func seal(_ message: String) throws -> String {
        sent += 1
        let mac = Proofs.line(sessionKey: sessionKey, sender: side, counter: sent, message: message)
        return try JSONText.encode(SealedLine(counter: sent, mac: mac, message: message))
    }

    /// - Returns: the message's text. Nil for a line that ends the connection.
    mutating func open(_ line: String) -> String? {
        received += 1
        guard let sealed = try? JSONText.decode(SealedLine.self, from: line), sealed.counter == received else { return nil }
        let sender: Proofs.Side = side == .shell ? .daemon : .shell
        let expected = Proofs.line(sessionKey: sessionKey, sender: sender, counter: received, message: sealed.message)
        return Hashing.isSame(sealed.mac, expected) ? sealed.message : nil
    }
}
