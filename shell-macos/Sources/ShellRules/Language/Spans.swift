import Foundation

/// Spans of time in the user's language.
enum Spans {
    /// `4:59`
    static func clock(seconds: Int) -> String {
        Duration.seconds(seconds).formatted(.time(pattern: .minuteSecond).locale(Language.current.locale))
    }

    /// `4 minutes, 59 seconds`
    static func spoken(seconds: Int) -> String {
        let style = Duration.UnitsFormatStyle.units(allowed: [.minutes, .seconds], width: .wide)
        return Duration.seconds(seconds).formatted(style.locale(Language.current.locale))
    }

    /// `13 ms`, `3.2 sec`
    static func short(milliseconds: Double) -> String {
        let isShort = milliseconds < 1_000
        let style: Duration.UnitsFormatStyle =
            isShort
            ? .units(allowed: [.milliseconds], width: .abbreviated)
            : .units(allowed: [.seconds], width: .abbreviated, fractionalPart: .show(length: 1))
        let whole = isShort ? milliseconds.rounded() : milliseconds
        return Duration.milliseconds(whole).formatted(style.locale(Language.current.locale))
    }
}

/// Sizes in the user's language.
enum Sizes {
    /// `64 kB`
    static func words(bytes: Int) -> String {
        bytes.formatted(ByteCountFormatStyle(style: .memory, locale: Language.current.locale))
    }
}
