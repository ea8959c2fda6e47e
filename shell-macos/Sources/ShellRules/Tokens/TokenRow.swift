import Foundation

/// One token or box in Settings > Integrations, escaped.
public struct TokenRow: Equatable, Identifiable, Sendable {
    public let id: String
    public let name: String
    /// The first characters, for recognition.
    public let prefix: String
    public let state: TokenState
    /// What it may do, where and how long, and when it was used.
    public let detail: String
    /// For a box: its socket, and sentences about it.
    public private(set) var socket: String?
    public private(set) var notes: [String] = []

    /// - Parameter shown: formats an instant in the reader's time zone and language.
    public init(_ token: TokenView, shown: (Date) -> String) {
        func when(_ instant: String?) -> String? { instant.flatMap(Instant.date).map(shown) }
        id = token.id
        name = ShownText.name(token.name)
        prefix = ShownText.name(token.prefix)
        state = token.state
        let use = when(token.lastUsedAt).map { localized("Last used \($0)") } ?? localized("Never used")
        let lifetime: String
        switch token.state {
        case .revoked: lifetime = when(token.revokedAt).map { localized("Revoked \($0)") } ?? localized("Revoked")
        case .expired: lifetime = when(token.expiresAt).map { localized("Expired \($0)") } ?? localized("Expired")
        case .uncollected: lifetime = token.state.label
        case .valid: lifetime = when(token.expiresAt).map { localized("Expires \($0)") } ?? localized("Never expires")
        }
        let (scope, reach) = (token.scope.label, TokenRow.reach(token.connections))
        detail = localized("\(scope), \(reach). \(lifetime). \(use).")
    }

    /// A box: a socket, or a token in a file, for the programs inside.
    public init(_ box: BoxView, shown: (Date) -> String) {
        let state: [BoxView.State: TokenState] = [.valid: .valid, .expired: .expired, .revoked: .revoked]
        self.init(
            TokenView(
                id: box.id, name: box.name, prefix: "", scope: box.scope, connections: box.connections, confirmInClient: false,
                createdAt: box.createdAt, lastUsedAt: box.lastUsedAt, expiresAt: box.expiresAt, state: state[box.state] ?? .revoked),
            shown: shown)
        socket = (box.socket ?? box.tokenFile).map(ShownText.oneLine)
        notes =
            (box.group.map { [localized("Also for the group \(ShownText.name($0)).")] } ?? [])
            + (box.problem.map { [localized("It can’t be used now: \(ShownText.oneLine($0)).")] } ?? [])
    }

    /// A dead token can't be revoked, only deleted.
    public var canRevoke: Bool { state == .valid || state == .uncollected }

    private static func reach(_ connections: Reach<TokenConnection>) -> String {
        switch connections {
        case .all: localized("All connections")
        case .only(let some) where some.isEmpty: localized("No connection")
        case .only(let some): some.map { $0.name.map(ShownText.name) ?? localized("(removed)") }.joined(separator: ", ")
        }
    }

    public static func revokeQuestion(_ name: String) -> String {
        localized("Revoke “\(ShownText.name(name))”? What uses it is cut off at once.")
    }

    public static func deleteQuestion(_ name: String) -> String {
        localized("Delete “\(ShownText.name(name))”? What uses it is cut off at once, and it leaves the list.")
    }
}
