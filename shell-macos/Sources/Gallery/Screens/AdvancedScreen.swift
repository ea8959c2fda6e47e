import ShellRules

/// Settings > Advanced, unrolled: the owner passphrase and every setting of the daemon.
struct AdvancedScreen {
    var pictures: [Picture] {
        let groups = SettingGroup.groups(of: settings).map { group in
            section(group.title, group.settings.map { line(SettingForm($0)) })
        }
        let content = Column(spacing: 18, [Card([passphrase])] + groups)
        return [
            Picture(
                name: "advanced", chrome: SettingsWindow.chrome(3), width: SettingsWindow.width,
                content: Padding(20, 18, content), description: "Settings, Advanced, unrolled")
        ]
    }

    /// One of them changed: it can be put back.
    private var settings: [SettingView] {
        Samples.settings.map { setting in
            var changed = setting
            if setting.key == "results.defaultRows" { changed.value = .number(250) }
            return changed
        }
    }

    private var passphrase: Row {
        formRow(
            localized("Owner passphrase"), Row(spacing: 8, [Button(localized("Clear…")), Button(localized("Set or Change…"))]),
            note: localized("Confirms what gives AI clients more access, so that no program of yours can grant itself more."))
    }

    private func line(_ form: SettingForm) -> Row {
        let restoring: [any Element] = form.isDefault ? [] : [GlyphView(path: Glyph.restore, size: 15, tint: .secondary)]
        return formRow(form.view.label, Row(spacing: 8, restoring + [control(form)]), note: form.view.explanation)
    }

    private func control(_ form: SettingForm) -> any Element {
        switch form.control {
        case .toggle: return Switch(isOn: form.isOn)
        case .choice(let words):
            let labels = words.map(SettingForm.label(ofWord:))
            return FormPopUp(SettingForm.label(ofWord: form.typed), of: labels)
        case .number(_, let unit, _):
            let field = FormField(form.typed, width: 100)
            return Row(spacing: 8, [field] + (unit.map { [Label(SettingForm.label(ofUnit: $0), .body, .secondary)] } ?? []))
        case .text: return FormField(form.typed)
        }
    }
}
