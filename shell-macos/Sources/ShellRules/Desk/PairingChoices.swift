/// What a person may choose on the card of a pairing (spec §10): permission level, expiration and
/// connections. Its text is here too. It draws nothing.
public struct PairingChoices: Equatable, Sendable {
    public let asked: AskView.Pairing
    public private(set) var scope: Scope
    public private(set) var expires: TokenExpiry
    /// Ids, in the order of the list. No later connection is among them.
    public private(set) var ticked: [String]

    public enum Choice: Equatable, Sendable {
        case scope(Scope)
        case expiry(TokenExpiry)
        case all(Bool)
        case one(id: String, Bool)
    }

    init(_ asked: AskView.Pairing) {
        self.asked = asked
        (scope, expires, ticked) = (asked.scope, asked.expires, asked.ticked)
    }

    mutating func take(_ choice: Choice) {
        let known = asked.connections.map(\.id)
        switch choice {
        case .scope(let chosen): scope = chosen
        case .expiry(let chosen): expires = chosen
        case .all(let isOn): ticked = isOn ? known : []
        case .one(let id, let isOn): ticked = known.filter { $0 == id ? isOn : ticked.contains($0) }
        }
    }

    public var areAllTicked: Bool { !ticked.isEmpty && asked.connections.allSatisfy { ticked.contains($0.id) } }

    /// Nil if the server is on.
    public var serverNote: String? {
        asked.serverStarted ? localized("The server is switched off; Approve starts it, until Sallyport is stopped.") : nil
    }

    /// Compares the chosen permission level with the requested one.
    public var scopeNote: String {
        if scope == asked.scope { return localized("as asked") }
        return scope > asked.scope ? localized("more than asked: \(asked.scope.label)") : localized("asked: \(asked.scope.label)")
    }

    public struct Row: Equatable, Identifiable, Sendable {
        public let id: String
        /// Escaped.
        public let name: String
        public let detail: String
        public let isTicked: Bool
    }

    public var rows: [Row] {
        asked.connections.map { connection in
            Row(
                id: connection.id, name: ShownText.name(connection.name),
                detail: localized("\(connection.engine.label), \(connection.externalClients.label)"),
                isTicked: ticked.contains(connection.id))
        }
    }

    public static var otherAppSentence: String {
        localized("Another app opens such addresses now than the sheet has named, so nothing was opened. Begin anew in the client.")
    }
}
