import Foundation

/// How long something still takes a decision, as a person reads it (FD §3.2).
public struct Countdown: Equatable, Sendable {
    /// Whole seconds, rounded up; 0 once it is over.
    public let secondsLeft: Int

    public init(until expiresAt: Date?, at now: Date) {
        // An instant that can't be read is one that has passed.
        guard let expiresAt else {
            secondsLeft = 0
            return
        }
        secondsLeft = Int(min(max(0, expiresAt.timeIntervalSince(now).rounded(.up)), 86_400))
    }

    public var isOver: Bool { secondsLeft == 0 }

    /// `4:59`
    public var clock: String {
        let seconds = secondsLeft % 60
        return "\(secondsLeft / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    }

    public var words: String { isOver ? "Time is up" : "\(clock) left" }

    /// For VoiceOver, which reads `4:59` as a time of day.
    public var spoken: String {
        if isOver { return "Time is up" }
        let (minutes, seconds) = (secondsLeft / 60, secondsLeft % 60)
        let parts = [
            minutes > 0 ? Counted.words(minutes, "minute") : nil, seconds > 0 ? Counted.words(seconds, "second") : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " ") + " left"
    }
}

/// `1 row`, `2 rows`.
public enum Counted {
    public static func words(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
