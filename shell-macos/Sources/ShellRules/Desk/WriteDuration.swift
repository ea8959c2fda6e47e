import Foundation

/// How long `readWrite` lasts from the moment of the answer.
public enum WriteDuration: String, Worded, Sendable {
    case halfHour, tonight, noEnd

    public static let labels: [String: Wording] = [
        "halfHour": "For 30 minutes", "tonight": "Until tonight", "noEnd": "Until I take it back",
    ]

    /// - Parameter calendar: the person's calendar, for the end of the day.
    public func seconds(from now: Date, in calendar: Calendar) -> Int? {
        switch self {
        case .halfHour: 1_800
        case .tonight:
            calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: now)).map { midnight in
                Int(midnight.timeIntervalSince(now).rounded(.up))
            } ?? 1_800
        case .noEnd: nil
        }
    }
}
