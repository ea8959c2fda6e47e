/// What another shell asks that widens access, for the person here to confirm (spec §11). State and
/// events in, what is to be done out; draws nothing.
public struct ConfirmationSheet: QueuedSheet {
    public let view: ConfirmationView
    public private(set) var deciding: Deciding
    /// The last of what would change has been in sight; true from the beginning where there is
    /// none.
    public private(set) var endWasShown: Bool

    public enum Event: Equatable, QueuedSheetEvent, Sendable {
        case cameToFront
        /// The last of what would change came into sight.
        case endShown
        case pressed(Verdict)
        /// The window's close button: as a no.
        case closed
        case taken(ConfirmationDecision)
        case refused(ControlError)
        case withdrawn(ConfirmationWithdrawn)
        case connectionLost
    }

    public enum Effect: Equatable, Sendable {
        /// Then `.taken`, `.refused` or `.connectionLost`.
        case decide(Command.ConfirmationsDecide)
    }

    public init(_ view: ConfirmationView, at now: Moment) {
        self.view = view
        deciding = Deciding(expiresAt: view.expiresAt, at: now)
        endWasShown = view.facts.isEmpty
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

    private func decide(_ verdict: Verdict) -> Effect {
        .decide(Command.ConfirmationsDecide(id: view.id, answer: verdict == .approve ? .yes : .no))
    }

    /// What Return and Esc press; Allow has no key of its own.
    public static let defaultVerdict = Verdict.deny

    public func approveButton(at now: Moment) -> ButtonState {
        if let ending = deciding.ending { return .dimmed(ConfirmationSheet.sentence(for: ending)) }
        if deciding.countdown(at: now).isOver { return .dimmed(localized("Its time is up, so nothing will be changed.")) }
        if !deciding.isOpen { return .dimmed(localized("The answer is on its way.")) }
        if let unread = changes.unreadRemark(endWasShown: endWasShown) { return .dimmed(unread) }
        return deciding.isDeaf(at: now) ? .dimmed(localized("One moment…")) : .enabled
    }
}

/// What it says, escaped.
extension ConfirmationSheet {
    public var title: String { localized("A program on this Mac asks to give AI clients more access.") }

    /// What would happen.
    public var sentence: String { ShownText.oneLine(view.sentence) }

    /// What would change.
    public var changes: [Fact] { view.facts.shown }

    public var facts: [Fact] { [.claim("Asked by", ShownText.name(view.shell))] }

    public var advice: String { localized("Allow it only if you have just asked for this yourself, for example in a terminal.") }

    public var approveLabel: String { localized("Allow") }
    public var denyLabel: String { localized("Don’t Allow") }

    /// The sentence under the buttons; nil while there is none.
    public func remark(at now: Moment) -> String? {
        if let ending = deciding.ending { return ConfirmationSheet.sentence(for: ending) }
        if let problem = deciding.problem { return ShownText.oneLine(problem) }
        return endWasShown ? nil : approveButton(at: now).reason
    }

    static func sentence(for ending: Deciding.Ending) -> String {
        switch ending {
        case .decided(.approve): localized("It was allowed.")
        case .decided(.deny): localized("It was not allowed.")
        case .withdrawn(.yes): localized("It was allowed elsewhere.")
        case .withdrawn(.no): localized("It was refused elsewhere.")
        case .withdrawn(.timeout): localized("It ran out of time; nobody answered.")
        case .withdrawn(.cancelled): localized("It was withdrawn: who asked no longer waits.")
        case .closed: localized("It was closed.")
        case .lost: localized("The connection to Sallyport was lost, so nothing will be changed.")
        }
    }
}

extension UserNotice {
    static func forConfirmation(_ sheet: ConfirmationSheet) -> UserNotice {
        // No names of what is asked for: a notification stands on the lock screen.
        return .post(id: sheet.id, title: localized("Sallyport waits for your answer"), body: sheet.title)
    }
}
