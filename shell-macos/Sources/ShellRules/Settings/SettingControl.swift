/// How a setting is edited: a switch, a number or a choice (spec §16). Which it is stands in the daemon's own sentence about what it
/// accepts, so a setting of a later daemon is editable too, as text where the sentence is a new one.
public enum SettingControl: Equatable, Sendable {
    case toggle
    case choice([String])
    /// `zeroMeans`: what 0 stands for, where it is accepted although it is out of the range.
    case number(ClosedRange<Int>, unit: String?, zeroMeans: String?)
    case text

    public init(accepts: String) {
        if accepts == "true or false" {
            self = .toggle
        } else if let number = SettingControl.number(in: accepts) {
            self = number
        } else if let words = SettingControl.words(in: accepts) {
            self = .choice(words)
        } else {
            self = .text
        }
    }

    /// `a whole number of rows from 1 to 10000, or 0 for no limit`
    private static func number(in accepts: String) -> SettingControl? {
        let pattern = /a whole number(?: of ([a-z]+))? from (\d{1,12}) to (\d{1,12})(?:, or 0 for (.+))?/
        guard let match = accepts.wholeMatch(of: pattern), let least = Int(match.2), let most = Int(match.3), least <= most
        else { return nil }
        return .number(least...most, unit: match.1.map { String($0) }, zeroMeans: match.4.map { String($0) })
    }

    /// `auto or required`, `one of error, warn, info, debug`
    private static func words(in accepts: String) -> [String]? {
        let list = accepts.begins(with: "one of ") ? accepts.dropFirst("one of ".count).split(separator: ", ") : []
        let words = list.isEmpty ? accepts.split(separator: " or ") : list
        let areWords = words.allSatisfy { word in word.allSatisfy { $0.isASCII && $0.isLetter } }
        return words.count >= 2 && areWords ? words.map(String.init) : nil
    }
}
