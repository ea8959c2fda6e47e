/// A setting that is a switch, as a switch; and which settings are in effect as soon as they are
/// chosen.
extension SettingForm {
    public var isOn: Bool {
        get { typed == SettingValue.boolean(true).text }
        set { typed = SettingValue.boolean(newValue).text }
    }

    /// What is typed is sent once it is left; half a number must not be.
    public var appliesAtOnce: Bool {
        if case .field = control { false } else { true }
    }
}
