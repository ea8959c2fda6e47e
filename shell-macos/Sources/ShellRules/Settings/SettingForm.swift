/// One setting while a person edits it. The daemon says which values it takes (spec §16). Sizes are
/// typed in kB if they are whole ones.
public struct SettingForm: Equatable, Identifiable, Sendable {
    public enum Control: Equatable, Sendable {
        case toggle
        case choice([String])
        /// With the unit beside it.
        case field(unit: String?)
    }

    public let view: SettingView
    public var typed: String { didSet { if typed != oldValue { problem = nil } } }
    /// Why the daemon refused the typed value.
    public private(set) var problem: String?
    private var sent: String?
    private let bytesInUnit: Int?

    public init(_ view: SettingView) {
        self.view = view
        bytesInUnit = SettingForm.bytesInUnit(view)
        typed = SettingForm.text(view.value, bytesInUnit)
    }

    public var id: String { view.key }
    public var isChanged: Bool { typed != SettingForm.text(view.value, bytesInUnit) }
    public var isDefault: Bool { view.value == view.default }

    public var control: Control {
        switch view.kind {
        case .switch: .toggle
        case .choice: .choice(view.choices)
        default: .field(unit: bytesInUnit == nil ? view.unit.map { SettingForm.units[$0].map(localized) ?? $0 } : "kB")
        }
    }

    /// The label of a choice's word. A word without a label stays.
    public static func label(ofWord word: String) -> String { labels[word].map(localized) ?? word }

    private static let labels: [String: Wording] = [
        "auto": "Automatic", "required": "Required", "on": "On", "off": "Off",
        "error": "Error", "warn": "Warning", "info": "Info", "debug": "Debug",
    ]

    private static let units: [String: Wording] = [
        "rows": "rows", "bytes": "bytes", "seconds": "seconds", "hours": "hours", "days": "days",
    ]

    /// The command to send. Nil if nothing changed, or if this was sent already.
    public mutating func change() -> Command.SettingsSet? {
        guard isChanged, typed != sent else { return nil }
        sent = typed
        // The daemon parses a text as it does for the terminal.
        let bytes = bytesInUnit.flatMap { unit in Int(typed).map { $0.multipliedReportingOverflow(by: unit) } }
        return Command.SettingsSet(
            key: view.key, value: bytes.flatMap { $0.overflow ? nil : .integer($0.partialValue) } ?? .string(typed))
    }

    /// A wrong value stays in its field with the problem. If the person gave up, the field shows
    /// the present value.
    public mutating func refused(_ failure: ControlClient.Failure) {
        if failure.isGivenUp { self = SettingForm(view) }
        guard !failure.isGivenUp, case .refused(let error) = failure else {
            sent = nil
            return
        }
        problem = error.data?.field == "value" ? localized("“\(view.title)” takes \(accepted).") : failure.sentence
    }

    public var resetCommand: Command.SettingsSet? {
        isDefault ? nil : Command.SettingsSet(key: view.key, value: view.default)
    }

    private var accepted: String {
        guard bytesInUnit != nil, let least = view.least, let most = view.most else { return view.accepts }
        return localized("\(Sizes.words(bytes: least)) to \(Sizes.words(bytes: most))")
    }

    private static func bytesInUnit(_ view: SettingView) -> Int? {
        guard view.unit == "bytes", case (.integer(let value), .integer(let byDefault)) = (view.value, view.default) else {
            return nil
        }
        return value % 1_024 == 0 && byDefault % 1_024 == 0 ? 1_024 : nil
    }

    private static func text(_ value: SettingValue, _ bytesInUnit: Int?) -> String {
        if case .integer(let number) = value { return String(number / (bytesInUnit ?? 1)) }
        return value.text
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
