/// How a setting is edited: a switch, a number or a choice, as the daemon says (spec §16); a number
/// without bounds is edited as text.
public enum SettingControl: Equatable, Sendable {
    case toggle
    case choice([String])
    /// `zeroMeans`: what 0 stands for, where it is accepted although it is out of the range.
    case number(ClosedRange<Int>, unit: String?, zeroMeans: String?)
    case text

    public init(_ view: SettingView) {
        switch (view.kind, view.least, view.most) {
        case (.switch, _, _): self = .toggle
        case (.choice, _, _): self = .choice(view.choices)
        case (.number, let least?, let most?) where least <= most:
            self = .number(least...most, unit: view.unit, zeroMeans: view.zeroMeans)
        default: self = .text
        }
    }
}
