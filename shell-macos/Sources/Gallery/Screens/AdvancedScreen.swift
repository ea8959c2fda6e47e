import ShellRules

/// Settings > Advanced, unrolled: the owner passphrase and every setting of the daemon.
struct AdvancedScreen {
    let tongue: Tongue

    var pictures: [Picture] {
        let groups = SettingGroup.groups(of: Samples.settings).map { group in
            section(tongue(group.title), group.settings.map { line(SettingForm($0)) })
        }
        let content = Column(spacing: 18, [Card([passphrase])] + groups)
        return [
            Picture(
                name: "advanced", chrome: SettingsWindow.chrome(3, tongue), width: SettingsWindow.width,
                content: Padding(20, 18, content), description: "Settings, Advanced, unrolled")
        ]
    }

    private var passphrase: Row {
        formRow(
            tongue("Owner passphrase"), Row(spacing: 8, [Button(tongue("Clear…")), Button(tongue("Set or Change…"))]),
            note: tongue("Confirms what widens access, so that no program of yours can grant itself more."))
    }

    private func line(_ form: SettingForm) -> Row {
        formRow(tongue(form.view.label), control(form), note: tongue(form.view.explanation))
    }

    private func control(_ form: SettingForm) -> any Element {
        switch form.control {
        case .toggle: return Switch(isOn: form.isOn)
        case .choice(let words):
            let labels = tongue(words.map(SettingForm.label))
            return FormPopUp(tongue(SettingForm.label(ofWord: form.typed)), of: labels)
        case .number(_, let unit, _):
            let field = FormField(form.typed, width: 100)
            return Row(spacing: 8, [field] + (unit.map { [Label(tongue($0), .body, .secondary)] } ?? []))
        case .text: return FormField(form.typed)
        }
    }
}
