import Foundation

/// Yes or no from a person: the two verdicts of the approval sheet and of every question.
public enum Verdict: Equatable, Sendable {
    case approve, deny
}

public enum ButtonState: Equatable, Sendable {
    case enabled
    /// Why, in a sentence.
    case dimmed(String)

    public var isEnabled: Bool { self == .enabled }
    public var reason: String? {
        if case .dimmed(let reason) = self { reason } else { nil }
    }
}

/// What a verdict has to pass (spec §10, §12): one only, not in the first 700 ms, not after the
/// time is up, and past the owner's confirmation where the daemon wants it. Knows nothing of what
/// is decided on.
public struct Deciding: Equatable, Sendable {
    /// A click or key meant for what stood here before must not approve.
    public static let deafSeconds = 0.7

    public enum Phase: Equatable, Sendable {
        case open
        case sent(Verdict)
        /// The daemon wants the owner passphrase, or a first one.
        case passphrase(Verdict, wanted: ControlError)
        case ended(Ending)
    }

    public enum Ending: Equatable, Sendable {
        case decided(Verdict)
        /// By the client, by another shell, or by time.
        case withdrawn(WithdrawalReason)
        case closed
        /// The connection to the daemon is gone.
        case lost
    }

    public private(set) var phase = Phase.open
    /// The daemon's last no, in its sentence.
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

    /// From the end of its time on there is nothing left to deny; closing closes.
    public func denyButton(at now: Moment) -> ButtonState {
        isOpen && !countdown(at: now).isOver ? .enabled : .dimmed(localized("There is nothing left to deny."))
    }

    /// Whether the window has nothing more to say and may close by itself.
    public var isOver: Bool {
        switch ending {
        case .decided, .closed: true
        case .withdrawn, .lost, nil: false
        }
    }

    /// Approve is dimmed, but Deny never for having been drawn just now.
    public func isDeaf(at now: Moment) -> Bool {
        now.uptimeSeconds - inFrontSince < Deciding.deafSeconds
    }

    public var isOpen: Bool { phase == .open }

    public var ending: Ending? {
        if case .ended(let ending) = phase { ending } else { nil }
    }

    /// The window came to the front, over something else that had the keys until then.
    public mutating func cameToFront(at now: Moment) {
        inFrontSince = now.uptimeSeconds
    }

    /// - Returns: whether it is to be sent.
    public mutating func press(_ verdict: Verdict, at now: Moment) -> Bool {
        guard phase == .open, !countdown(at: now).isOver else { return false }
        if verdict == .approve, isDeaf(at: now) { return false }
        phase = .sent(verdict)
        problem = nil
        return true
    }

    /// - Returns: the verdict to send again, and what it is confirmed by.
    public mutating func gavePassphrase(_ text: String) -> (Verdict, TypedPassphrase)? {
        guard case .passphrase(let verdict, let wanted) = phase else { return nil }
        phase = .sent(verdict)
        return (verdict, TypedPassphrase(text, for: wanted))
    }

    /// The passphrase was given up: the verdict was never given.
    public mutating func gaveUpPassphrase(at now: Moment) {
        guard case .passphrase(_, let wanted) = phase else { return }
        reopen(problem: wanted.message, at: now)
    }

    public mutating func wasTaken() {
        guard case .sent(let verdict) = phase else { return }
        phase = .ended(.decided(verdict))
    }

    public mutating func wasRefused(_ error: ControlError, at now: Moment) {
        guard case .sent(let verdict) = phase else { return }
        if error.wantsPassphrase || error.wantsFirstPassphrase {
            phase = .passphrase(verdict, wanted: error)
        } else {
            reopen(problem: error.message, at: now)
        }
    }

    /// A verdict of our own that is on its way is told by its answer.
    public mutating func end(_ ending: Ending) {
        // Closed, it has nothing more to say, however it ended.
        if case .ended = phase, ending != .closed { return }
        if case .sent(let verdict) = phase, ending == .withdrawn(verdict == .approve ? .yes : .no) { return }
        phase = .ended(ending)
    }

    private mutating func reopen(problem sentence: String, at now: Moment) {
        phase = .open
        problem = sentence
        inFrontSince = now.uptimeSeconds
    }
}
