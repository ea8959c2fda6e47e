import Foundation

/// Now, twice: the wall's clock for what the daemon dates, and seconds since the start of the
/// system, which nobody sets back.
public struct Moment: Equatable, Sendable {
    public var wall: Date
    public var uptimeSeconds: Double

    public init(wall: Date, uptimeSeconds: Double) {
        self.wall = wall
        self.uptimeSeconds = uptimeSeconds
    }
}

/// ISO 8601 instants as the daemon writes them.
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
