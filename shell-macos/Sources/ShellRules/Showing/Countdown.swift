import Foundation

/// The time left for a decision (spec §10).
public struct Countdown: Equatable, Sendable {
    /// Whole seconds, rounded up. 0 once it is over.
    public let secondsLeft: Int

    public init(until expiresAt: Date?, at now: Date) {
        // An unreadable instant counts as past.
        guard let expiresAt else {
            secondsLeft = 0
            return
        }
        secondsLeft = Int(min(max(0, expiresAt.timeIntervalSince(now).rounded(.up)), 86_400))
    }

    public var isOver: Bool { secondsLeft == 0 }

    /// `4:59`
    public var clock: String { Spans.clock(seconds: secondsLeft) }

    public var words: String { isOver ? localized("Time is up") : localized("\(clock) left") }

    /// For VoiceOver, which reads `4:59` as a time of day.
    public var spoken: String {
        isOver ? localized("Time is up") : localized("\(Spans.spoken(seconds: secondsLeft)) left")
    }
}
