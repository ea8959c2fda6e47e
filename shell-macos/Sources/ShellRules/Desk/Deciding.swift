import Foundation

extension DeskAnswer {
    /// It gives something, so it is held back where a no is not.
    public var isYes: Bool { self == .yes || self == .run }
}

public enum ButtonState: Equatable, Sendable {
    case enabled
    /// The reason, as a sentence.
    case dimmed(String)

    public var isEnabled: Bool { self == .enabled }
    public var reason: String? {
        if case .dimmed(let reason) = self { reason } else { nil }
    }
}

/// The rules for an answer (spec §10, §12): only one, no yes in the first 700 ms, none after the
/// time is up, and with the owner's confirmation if the daemon wants it. It ignores what is
/// decided.
public struct Deciding: Equatable, Sendable {
    /// A click or key that was meant for the former content must not approve.
    public static let deafSeconds = 0.7

    public enum Phase: Equatable, Sendable {
        case open
        case sent(DeskAnswer)
        /// The daemon wants the owner passphrase, or a first one.
        case passphrase(DeskAnswer, wanted: ControlError)
        case ended(Ending)
    }

    public enum Ending: Equatable, Sendable {
        case decided(DeskAnswer)
        /// Withdrawn by the client, by another shell, or by timeout.
        case withdrawn(WithdrawalReason)
        case closed
        /// One of several that were to be answered together.
        case oneWithdrawn
        /// The connection to the daemon is gone. If a yes was sent, it may have been done.
        case lost(mayBeDone: Bool)
    }

    public private(set) var phase = Phase.open
    /// The daemon's last refusal, as a sentence, escaped.
    public private(set) var problem: String?
    public let expiresAt: Date?
    private var inFrontSince: Double

    public init(expiresAt: String, at now: Moment) {
        self.expiresAt = Instant.date(expiresAt)
        inFrontSince = now.uptimeSeconds
    }

    public func countdown(at now: Moment) -> Countdown {
        Countdown(until: expiresAt, at: now.wall)
    }

    /// After its time is up nothing is left to deny. Closing closes it.
    public func noButton(at now: Moment) -> ButtonState {
        isOpen && !countdown(at: now).isOver ? .enabled : .dimmed(localized("There is nothing left to deny."))
    }

    /// Whether the window may close by itself.
    public var isOver: Bool {
        switch ending {
        case .decided, .closed: true
        case .withdrawn, .oneWithdrawn, .lost, nil: false
        }
    }

    /// Dims Approve right after the sheet is drawn. Deny is never dimmed for that.
    public func isDeaf(at now: Moment) -> Bool {
        now.uptimeSeconds - inFrontSince < Deciding.deafSeconds
    }

    public var isOpen: Bool { phase == .open }

    /// The answer was sent, and the daemon has not answered yet.
    var isSent: Bool {
        if case .sent = phase { true } else { false }
    }

    /// A yes was sent, and nobody knows what became of it.
    var mayBeDone: Bool {
        if case .sent(let answer) = phase { answer.isYes } else { false }
    }

    public var ending: Ending? {
        if case .ended(let ending) = phase { ending } else { nil }
    }

    /// The window came to the front, over another one that had the keys.
    public mutating func cameToFront(at now: Moment) {
        inFrontSince = now.uptimeSeconds
    }

    /// - Returns: whether to send it.
    public mutating func press(_ answer: DeskAnswer, at now: Moment) -> Bool {
        guard phase == .open, !countdown(at: now).isOver else { return false }
        if answer.isYes, isDeaf(at: now) { return false }
        phase = .sent(answer)
        problem = nil
        return true
    }

    /// - Returns: the answer to send again.
    public mutating func gavePassphrase() -> DeskAnswer? {
        guard case .passphrase(let answer, _) = phase else { return nil }
        phase = .sent(answer)
        return answer
    }

    /// The daemon could not do what the card needs.
    /// - Parameter sentence: escaped.
    mutating func tell(_ sentence: String) {
        if isOpen { problem = sentence }
    }

    /// The person gave up the passphrase, so no answer was given.
    public mutating func gaveUpPassphrase(at now: Moment) {
        guard case .passphrase(_, let wanted) = phase else { return }
        reopen(problem: wanted.shownMessage, at: now)
    }

    /// The person gave up a confirmation in its own window, so no answer was given.
    mutating func gaveUp(at now: Moment) {
        if isSent { reopen(problem: nil, at: now) }
    }

    public mutating func wasTaken() {
        guard case .sent(let answer) = phase else { return }
        phase = .ended(.decided(answer))
    }

    public mutating func wasRefused(_ error: ControlError, at now: Moment) {
        guard case .sent(let answer) = phase else { return }
        if error.wantsPassphrase {
            phase = .passphrase(answer, wanted: error)
        } else {
            reopen(problem: error.shownMessage, at: now)
        }
    }

    /// The answer to our own answer tells its ending.
    public mutating func end(_ ending: Ending) {
        // A closed sheet stays closed, however it ended.
        if case .ended = phase, ending != .closed { return }
        if case .sent(let answer) = phase, ending == .withdrawn(answer.isYes ? .yes : .no) { return }
        phase = .ended(ending)
    }

    private mutating func reopen(problem sentence: String?, at now: Moment) {
        phase = .open
        problem = sentence
        inFrontSince = now.uptimeSeconds
    }
}
