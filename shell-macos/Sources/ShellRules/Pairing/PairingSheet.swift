import Foundation

/// The approval sheet of a pairing (spec §10): the choices so far, and what a press does. It draws
/// nothing.
public struct PairingSheet: Equatable, Identifiable, Sendable {
    public let view: PairingView
    public private(set) var deciding: Deciding
    public private(set) var scope: Scope
    public private(set) var expires: TokenExpiry
    /// Ids, in the order of the list.
    public private(set) var ticked: Reach<String>

    public enum Event: Equatable, Sendable {
        case cameToFront
        case choseScope(Scope)
        case choseExpiry(TokenExpiry)
        case tickedAll(Bool)
        case ticked(id: String, Bool)
        case pressed(Verdict)
        /// The window's close button. It opens nothing.
        case closed
        case typedPassphrase(String)
        case gaveUpPassphrase
        case answered(PairingAnswer)
        case refused(ControlError)
        case connectionLost
    }

    public enum Effect: Equatable, Sendable {
        case decide(Command.PairingDecide, passphrase: TypedPassphrase?)
        case tellClosed(Command.PairingClose)
        /// Opens the answer's address, unchanged, with the app that the sheet has named. Nil on
        /// loopback.
        case open(String, takenBy: String?)
    }

    public init(_ view: PairingView, at now: Moment) {
        self.view = view
        deciding = Deciding(expiresAt: view.expiresAt, at: now)
        scope = view.scope
        expires = view.expires
        ticked = .only(view.ticked)
    }

    public var id: String { view.id }

    public mutating func handle(_ event: Event, at now: Moment) -> Effect? {
        switch event {
        case .cameToFront: deciding.cameToFront(at: now)
        case .choseScope(let chosen): if deciding.isOpen { scope = chosen }
        case .choseExpiry(let chosen): if deciding.isOpen { expires = chosen }
        case .tickedAll(let isOn): if deciding.isOpen { ticked = .only(isOn ? view.connections.map(\.id) : []) }
        case .ticked(let id, let isOn): if deciding.isOpen { tick(id, isOn) }
        case .pressed(let verdict):
            if verdict == .approve, isNoneTicked { return nil }
            return deciding.press(verdict, at: now) ? decide(verdict) : nil
        case .closed:
            // The daemon still answers a sent approval, and its address is opened.
            if deciding.isSent { return nil }
            let isAlive = deciding.ending == nil
            deciding.end(.closed)
            return isAlive ? .tellClosed(Command.PairingClose(id: view.id)) : nil
        case .typedPassphrase(let passphrase):
            return deciding.gavePassphrase(passphrase).map { decide($0, passphrase: $1) }
        case .gaveUpPassphrase: deciding.gaveUpPassphrase(at: now)
        case .answered(let answer):
            guard deciding.isSent, answer.id == view.id else { return nil }
            deciding.wasTaken()
            guard let address = answer.address else { return nil }
            return .open(address, takenBy: view.redirect.kind == .loopback ? nil : view.redirect.receiver)
        case .refused(let error): deciding.wasRefused(error, at: now)
        case .connectionLost: deciding.end(.lost)
        }
        return nil
    }

    public func isTicked(_ id: String) -> Bool {
        switch ticked {
        case .all: true
        case .only(let ids): ids.contains(id)
        }
    }

    public var isNoneTicked: Bool { ticked == .only([]) }
    public var areAllTicked: Bool { !isNoneTicked && view.connections.allSatisfy { isTicked($0.id) } }

    private mutating func tick(_ id: String, _ isOn: Bool) {
        let known = view.connections.map(\.id)
        guard known.contains(id), isTicked(id) != isOn else { return }
        ticked = .only(known.filter { $0 == id ? isOn : isTicked($0) })
    }

    private func decide(_ verdict: Verdict, passphrase: TypedPassphrase? = nil) -> Effect {
        switch verdict {
        case .approve:
            let approval = Command.PairingDecide.approve(id: view.id, scope: scope, connections: ticked, expires: expires)
            return .decide(approval, passphrase: passphrase)
        case .deny: return .decide(.deny(id: view.id), passphrase: passphrase)
        }
    }

    public func approveButton(at now: Moment) -> ButtonState {
        if let ending = deciding.ending { return .dimmed(ending.sentence) }
        if deciding.countdown(at: now).isOver {
            return .dimmed(localized("The five minutes have passed; begin anew in the client."))
        }
        if !deciding.isOpen { return .dimmed(localized("The answer is on its way.")) }
        if isNoneTicked { return .dimmed(localized("Tick a connection to approve.")) }
        return deciding.isDeaf(at: now) ? .dimmed(localized("One moment…")) : .enabled
    }
}
