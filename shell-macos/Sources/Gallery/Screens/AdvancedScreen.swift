import ShellRules

/// Settings > Advanced, unrolled: the owner passphrase and every setting of the daemon.
struct AdvancedScreen {
    var pictures: [Picture] {
        let groups = SettingGroup.groups(of: settings).map { group in
            section(group.title, group.settings.flatMap { line(form($0)) })
        }
        let content = Column(spacing: 18, [passphrase(Samples.status(passphrase: "set", chosen: true))] + groups)
        return [
            Picture(
                name: "advanced", chrome: SettingsWindow.chrome(3), width: SettingsWindow.width,
                content: Padding(20, 18, content), description: "Settings, Advanced, unrolled")
        ] + states
    }

    /// One setting was refused: its typed value stays, with the reason.
    private func form(_ setting: SettingView) -> SettingForm {
        var form = SettingForm(setting)
        guard setting.key == "results.maxBytes" else { return form }
        form.typed = "9000"
        form.refused(Samples.refused("results.maxBytes takes \(setting.accepts), not 9216000."))
        return form
    }

    /// One setting is changed and can be reset.
    private var settings: [SettingView] {
        Samples.settings.map { setting in
            var changed = setting
            if setting.key == "results.defaultRows" { changed.value = .integer(250) }
            return changed
        }
    }

    /// The owner passphrase, in each state.
    private var states: [Picture] {
        [
            ("passphrase-none", Samples.status(passphrase: "none"), "before it is chosen"),
            ("passphrase-off", Samples.status(passphrase: "off", chosen: true), "turned off"),
            ("passphrase-reset", Samples.status(passphrase: "set", chosen: true, reset: true), "with a reset that waits"),
        ].map { name, status, state in
            Picture(
                name: name, chrome: SettingsWindow.chrome(3), width: SettingsWindow.width,
                content: Padding(20, 18, passphrase(status)), description: "Settings, Advanced: the owner passphrase \(state)")
        }
    }

    private func passphrase(_ status: DaemonStatus) -> Card {
        let pane = PassphrasePane(status) { IntegrationsScreen.day($0) }
        let buttons = pane.actions.map { Button($0.label) as any Element }
        var rows: [any Element] = [
            formRow(localized("Owner passphrase"), Row(spacing: 8, buttons), note: pane.explanation)
        ]
        if let chosen = pane.chosen {
            let mine: [any Element] = pane.doubt == nil ? [] : [Button(localized("It Was Me"))]
            rows.append(formRow(chosen, Row(spacing: 8, mine), note: pane.doubt))
        }
        return Card(rows + (pane.reset.map { [remark($0)] } ?? []))
    }

    private func line(_ form: SettingForm) -> [any Element] {
        let restoring: [any Element] = form.isDefault ? [] : [GlyphView(path: Glyph.restore, size: 15, tint: .secondary)]
        let row = formRow(form.view.title, Row(spacing: 8, restoring + [control(form)]), note: form.view.explanation)
        return [row] + (form.problem.map { [remark($0)] } ?? [])
    }

    private func control(_ form: SettingForm) -> any Element {
        switch form.control {
        case .toggle: return Switch(isOn: form.isOn)
        case .choice(let words):
            let labels = words.map(SettingForm.label(ofWord:))
            return FormPopUp(SettingForm.label(ofWord: form.typed), of: labels)
        case .field(let unit):
            let field = FormField(form.typed, width: 100)
            return Row(spacing: 8, [field] + (unit.map { [Label($0, .body, .secondary)] } ?? []))
        }
    }
}
