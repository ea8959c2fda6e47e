/// What a person answers with yes or no: a client's question, or another program's request.
public protocol AskedView: Equatable, Identifiable, Sendable where ID == String {
    associatedtype Decide: Equatable, Sendable
    associatedtype Decision: Equatable, Sendable

    /// Where it is drawn.
    static var window: Presence.Window { get }
    /// A notification shows it on the lock screen, so it says nothing of what is asked.
    var title: String { get }
    var expiresAt: String { get }
    /// Something has to be read to its end before it is approved.
    var hasText: Bool { get }
    /// Says so.
    var unreadSentence: String { get }
    var approveLabel: String { get }
    var denyLabel: String { get }
    func decide(_ verdict: Verdict) -> Decide
}

/// The sheet of a question (spec §12) or of a confirmation (spec §11). State and events go in, and
/// the effect comes out. It draws nothing.
public struct AnswerSheet<View: AskedView>: Equatable, Identifiable, DecisionSheet, Sendable {
    public let view: View
    public private(set) var deciding: Deciding
    /// The end of the text has been in sight. True from the beginning if there is no text.
    public private(set) var endWasShown: Bool

    public enum Event: Equatable, Sendable {
        case cameToFront
        /// The end of the text came into sight.
        case endShown
        case pressed(Verdict)
        /// The window's close button. It denies.
        case closed
        case typedPassphrase(String)
        case gaveUpPassphrase
        case taken(View.Decision)
        case refused(ControlError)
        case withdrawn(WithdrawalReason)
        case connectionLost

        public init(_ answer: DecisionAnswer) {
            switch answer {
            case .pressed(let verdict): self = .pressed(verdict)
            case .closed: self = .closed
            case .typedPassphrase(let passphrase): self = .typedPassphrase(passphrase)
            case .gaveUpPassphrase: self = .gaveUpPassphrase
            }
        }
    }

    public enum Effect: Equatable, Sendable {
        /// Then `.taken`, `.refused` or `.connectionLost`.
        case decide(View.Decide, passphrase: TypedPassphrase? = nil)
    }

    public init(_ view: View, at now: Moment) {
        self.view = view
        deciding = Deciding(expiresAt: view.expiresAt, at: now)
        endWasShown = !view.hasText
    }

    public var id: String { view.id }
    public var title: String { view.title }
    public var approveLabel: String { view.approveLabel }
    public var denyLabel: String { view.denyLabel }

    public mutating func handle(_ event: Event, at now: Moment) -> Effect? {
        switch event {
        case .cameToFront: deciding.cameToFront(at: now)
        case .endShown: endWasShown = true
        case .pressed(let verdict):
            if verdict == .approve, !endWasShown { return nil }
            return deciding.press(verdict, at: now) ? .decide(view.decide(verdict)) : nil
        case .closed:
            if deciding.press(.deny, at: now) { return .decide(view.decide(.deny)) }
            if !deciding.isSent { deciding.end(.closed) }
        case .typedPassphrase(let passphrase):
            return deciding.gavePassphrase(passphrase).map { .decide(view.decide($0), passphrase: $1) }
        case .gaveUpPassphrase: deciding.gaveUpPassphrase(at: now)
        case .taken: deciding.wasTaken()
        case .refused(let error): deciding.wasRefused(error, at: now)
        case .withdrawn(let reason): deciding.end(.withdrawn(reason))
        case .connectionLost: deciding.end(.lost)
        }
        return nil
    }

    public func approveButton(at now: Moment) -> ButtonState {
        if let ending = deciding.ending { return .dimmed(ending.sentence) }
        if deciding.countdown(at: now).isOver { return .dimmed(localized("Its time is up, so it was not allowed.")) }
        if !deciding.isOpen { return .dimmed(localized("The answer is on its way.")) }
        if !endWasShown { return .dimmed(view.unreadSentence) }
        return deciding.isDeaf(at: now) ? .dimmed(localized("One moment…")) : .enabled
    }

    /// The sentence under the buttons. Nil while there is none.
    public func remark(at now: Moment) -> String? {
        if let ending = deciding.ending { return ending.sentence }
        if let problem = deciding.problem { return ShownText.oneLine(problem) }
        return endWasShown ? nil : approveButton(at: now).reason
    }
}

extension Deciding.Ending {
    var sentence: String {
        switch self {
        case .decided(.approve): localized("It was answered with yes.")
        case .decided(.deny): localized("It was answered with no.")
        case .withdrawn(.yes): localized("It was answered with yes elsewhere.")
        case .withdrawn(.no): localized("It was answered with no elsewhere.")
        case .withdrawn(.timeout): localized("It ran out of time; nobody answered.")
        case .withdrawn(.cancelled): localized("It was withdrawn: the program that asked no longer waits.")
        case .closed: localized("It was closed.")
        case .lost: localized("The connection to Sallyport was lost, so it was not allowed.")
        }
    }
}
