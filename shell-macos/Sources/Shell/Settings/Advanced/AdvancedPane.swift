import ShellRules
import SwiftUI

/// Settings > Advanced: the daemon's settings and the owner passphrase.
struct AdvancedPane: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        Form {
            PassphraseSection(model: model)
            ForEach(SettingGroup.groups(of: model.state.lists.settings)) { group in
                Section {
                    ForEach(group.settings) { setting in
                        // The line starts afresh if the daemon reports another value.
                        SettingLine(model: model, form: SettingForm(setting)).id([setting.key, setting.value.text])
                    }
                } header: {
                    Text(verbatim: group.title)
                }
            }
        }
        .formStyle(.grouped)
        .disabled(model.state.link != .connected)
    }
}
