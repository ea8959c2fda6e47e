import Foundation

/// The present time twice: the wall clock for the daemon's dates, and the uptime, which nobody can
/// set back.
public struct Moment: Equatable, Sendable {
    public var wall: Date
    public var uptimeSeconds: Double

    public init(wall: Date, uptimeSeconds: Double) {
        self.wall = wall
        self.uptimeSeconds = uptimeSeconds
    }
}

/// ISO 8601 instants, in the daemon's format.
public enum Instant {
    public static func date(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) { return date }
        return try? Date(text, strategy: Date.ISO8601FormatStyle())
    }

    /// With milliseconds, in UTC.
    public static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
