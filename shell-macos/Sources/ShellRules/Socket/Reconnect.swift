/// How long to wait before the next try to reach the daemon, and when to give up. Chance is passed
/// in, and no clock is read.
public struct Reconnect: Equatable, Sendable {
    public static let firstSeconds = 0.2
    public static let longestSeconds = 15.0
    /// About two minutes in all.
    public static let mostTries = 14

    static let steadySeconds = 20.0

    public private(set) var tries = 0

    public init() {}

    public enum Next: Equatable, Sendable {
        case waitSeconds(Double)
        case giveUp
    }

    /// - Parameter chance: from 0 to 1. It decides half of the wait, so that shells don't all come
    ///   back at once.
    public mutating func failed(chance: Double) -> Next {
        tries += 1
        guard tries < Reconnect.mostTries else { return .giveUp }
        let whole = min(Reconnect.longestSeconds, Reconnect.firstSeconds * Double(1 << min(tries - 1, 16)))
        return .waitSeconds(whole * (0.5 + 0.5 * min(max(chance, 0), 1)))
    }

    /// A daemon that dies right after its start does not count as reached.
    public mutating func lost(afterSeconds seconds: Double) {
        if seconds >= Reconnect.steadySeconds { tries = 0 }
    }

    public static var gaveUpSentence: String {
        localized("Sallyport's daemon can't be reached; choose Start Sallyport to try again.")
    }
}
