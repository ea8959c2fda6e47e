import Foundation

/// A question to the user: a destructive statement, the end of a server session, a first use (spec
/// §12). State and events in, what is to be done out; draws nothing.
public struct QuestionSheet: QueuedSheet {
    public let view: ApprovalView
    public private(set) var deciding: Deciding
    /// The statement's last line has been in sight; true from the beginning where there is none.
    public private(set) var endWasShown: Bool

    public enum Event: Equatable, QueuedSheetEvent, Sendable {
        case cameToFront
        /// The last line of the statement came into sight.
        case endShown
        case pressed(Verdict)
        /// The window's close button: as a no.
        case closed
        case typedPassphrase(String)
        case gaveUpPassphrase
        case taken(ApprovalDecision)
        case refused(ControlError)
        case withdrawn(ApprovalWithdrawn)
        case connectionLost
    }

    public enum Effect: Equatable, Sendable {
        case decide(Command.ApprovalsDecide, passphrase: TypedPassphrase?)
    }

    public init(_ view: ApprovalView, at now: Moment) {
        self.view = view
        deciding = Deciding(expiresAt: view.expiresAt, at: now)
        endWasShown = view.statement == nil
    }

    public var id: String { view.id }

    public mutating func handle(_ event: Event, at now: Moment) -> Effect? {
        switch event {
        case .cameToFront: deciding.cameToFront(at: now)
        case .endShown: endWasShown = true
        case .pressed(let verdict):
            if verdict == .approve, !endWasShown { return nil }
            return deciding.press(verdict, at: now) ? decide(verdict) : nil
        case .closed:
            if deciding.press(.deny, at: now) { return decide(.deny) }
            if !isWaiting { deciding.end(.closed) }
        case .typedPassphrase(let passphrase):
            return deciding.gavePassphrase(passphrase).map { decide($0, passphrase: $1) }
        case .gaveUpPassphrase: deciding.gaveUpPassphrase(at: now)
        case .taken: deciding.wasTaken()
        case .refused(let error): deciding.wasRefused(error, at: now)
        case .withdrawn(let withdrawn): deciding.end(.withdrawn(withdrawn.because))
        case .connectionLost: deciding.end(.lost)
        }
        return nil
    }

    private var isWaiting: Bool {
        if case .sent = deciding.phase { true } else { false }
    }

    private func decide(_ verdict: Verdict, passphrase: TypedPassphrase? = nil) -> Effect {
        let decision = Command.ApprovalsDecide(id: view.id, answer: verdict == .approve ? .yes : .no)
        return .decide(decision, passphrase: passphrase)
    }

    /// What Return and Esc press; Approve has no key of its own.
    public static let defaultVerdict = Verdict.deny

    public func approveButton(at now: Moment) -> ButtonState {
        if let ending = deciding.ending { return .dimmed(QuestionSheet.sentence(for: ending)) }
        if deciding.countdown(at: now).isOver { return .dimmed(localized("Its time is up, so nothing will be run.")) }
        if !deciding.isOpen { return .dimmed(localized("The answer is on its way.")) }
        if !endWasShown { return .dimmed(localized("Read the statement to its end to approve it.")) }
        return deciding.isDeaf(at: now) ? .dimmed(localized("One moment…")) : .enabled
    }

    static func sentence(for ending: Deciding.Ending) -> String {
        switch ending {
        case .decided(.approve): localized("It was answered with yes.")
        case .decided(.deny): localized("It was answered with no.")
        case .withdrawn(.yes): localized("It was answered with yes elsewhere.")
        case .withdrawn(.no): localized("It was answered with no elsewhere.")
        case .withdrawn(.timeout): localized("It ran out of time; nobody answered.")
        case .withdrawn(.cancelled): localized("It was withdrawn: the client no longer waits.")
        case .closed: localized("It was closed.")
        case .lost: localized("The connection to Sallyport was lost, so nothing will be run.")
        }
    }
}
