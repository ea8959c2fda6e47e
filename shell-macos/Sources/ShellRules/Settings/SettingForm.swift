/// One setting on its way from what a person typed to the daemon (spec §16): refused here where the
/// daemon would refuse it.
public struct SettingForm: Equatable, Identifiable, Sendable {
    public let view: SettingView
    public let control: SettingControl
    public var typed: String

    public init(_ view: SettingView) {
        self.view = view
        control = SettingControl(view)
        typed = view.value.text
    }

    public var id: String { view.key }
    public var isChanged: Bool { typed != view.value.text }
    public var isDefault: Bool { view.value == view.default }

    /// What people read for one of the words of a choice; one that has no label here stays as it
    /// is.
    public static func label(ofWord word: String) -> String { labels[word].map(localized) ?? word }

    private static let labels: [String: Wording] = [
        "auto": "Automatic", "required": "Required", "on": "On", "off": "Off",
        "error": "Error", "warn": "Warning", "info": "Info", "debug": "Debug",
    ]

    /// What people read for a unit of the daemon's; one that has no label here stays as it is.
    public static func label(ofUnit unit: String) -> String { units[unit].map(localized) ?? unit }

    private static let units: [String: Wording] = [
        "rows": "rows", "bytes": "bytes", "seconds": "seconds", "hours": "hours", "days": "days",
    ]

    /// A sentence with the accepted values; nil while nothing is wrong.
    public var problem: String? {
        value == nil ? localized("\(view.key) takes \(view.accepts).") : nil
    }

    /// Nil while something is wrong, or nothing changed.
    public var command: Command.SettingsSet? {
        guard isChanged, let value else { return nil }
        return Command.SettingsSet(key: view.key, value: value)
    }

    public var resetCommand: Command.SettingsSet? {
        isDefault ? nil : Command.SettingsSet(key: view.key, value: view.default)
    }

    private var value: SettingValue? {
        switch control {
        case .toggle: return ["true": .boolean(true), "false": .boolean(false)][typed]
        case .choice(let words): return words.contains(typed) ? .string(typed) : nil
        case .number(let range, _, let zeroMeans):
            if zeroMeans != nil, WholeNumber.read(typed, within: 0...0) != nil { return .integer(0) }
            return WholeNumber.read(typed, within: range).map { .integer($0) }
        // The daemon reads what was typed as it reads it from the terminal.
        case .text: return .string(typed)
        }
    }
}

extension SettingValue {
    public var text: String {
        switch self {
        case .boolean(let isOn): isOn ? "true" : "false"
        case .integer(let number): String(number)
        case .string(let word): word
        }
    }
}
