/// A setting as a switch, and which settings apply at once.
extension SettingForm {
    public var isOn: Bool {
        get { typed == SettingValue.boolean(true).text }
        set { typed = SettingValue.boolean(newValue).text }
    }

    /// A text is sent when focus leaves the field, so half a number is never sent.
    public var appliesAtOnce: Bool {
        if case .field = control { false } else { true }
    }
}
