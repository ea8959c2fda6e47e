/// The text of the approval sheet (spec §10). The name is a claim. The receiver of the code is a
/// fact.
extension PairingSheet {
    public static var title: String { localized("Pair this client with Sallyport?") }

    public static var otherAppSentence: String {
        localized("Another app opens such addresses now than the sheet has named, so nothing was opened. Begin anew in the client.")
    }

    public var facts: [Fact] {
        [
            .claim("Calls itself", ShownText.name(view.client)),
            .fact("Code goes to", ShownText.oneLine(view.redirect.address)),
            .fact("Taken by", receiver),
        ]
    }

    /// Nil if the server is on.
    public var serverNote: String? {
        view.serverStarted ? localized("The server is switched off; Approve starts it, until Sallyport is stopped.") : nil
    }

    public enum ScopeNote: Equatable, Sendable {
        case asAsked
        case less(String)
        case more(String)

        public var words: String {
            switch self {
            case .asAsked: localized("as asked")
            case .less(let words), .more(let words): words
            }
        }
    }

    /// Compares the chosen permission level with the requested one.
    public var scopeNote: ScopeNote {
        if scope == view.scope { return .asAsked }
        return scope > view.scope
            ? .more(localized("more than asked: \(view.scope.label)")) : .less(localized("asked: \(view.scope.label)"))
    }

    public static var allLabel: String { localized("All connections") }

    public struct Row: Equatable, Identifiable, Sendable {
        public let id: String
        /// Escaped.
        public let name: String
        public let detail: String
        public let isTicked: Bool
    }

    public var rows: [Row] {
        view.connections.map { connection in
            Row(
                id: connection.id, name: ShownText.name(connection.name),
                detail: localized("\(connection.engine.label), \(connection.externalClients.label)"),
                isTicked: isTicked(connection.id))
        }
    }

    /// The sentence under the buttons. Nil while there is none.
    public func remark(at now: Moment) -> String? {
        if let problem = deciding.problem, deciding.ending == nil { return ShownText.oneLine(problem) }
        let button = approveButton(at: now)
        return deciding.isOpen && deciding.isDeaf(at: now) && !isNoneTicked ? nil : button.reason
    }

    private var receiver: String {
        if let receiver = view.redirect.receiver { return ShownText.name(receiver) }
        return view.redirect.kind == .loopback ? localized("Nobody listens there, or unknown") : localized("Unknown")
    }
}
