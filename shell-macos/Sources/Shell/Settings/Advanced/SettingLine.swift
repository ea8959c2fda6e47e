import ShellRules
import SwiftUI

/// One setting of the daemon: a switch, a choice or a field, in effect at once.
struct SettingLine: View {
    let model: ShellModel
    @State var form: SettingForm

    var body: some View {
        Group {
            LabeledContent {
                HStack(spacing: 8) {
                    if !form.isDefault { restoring }
                    control
                }
            } label: {
                Text(verbatim: form.view.title)
                Text(verbatim: form.view.explanation)
            }
            if form.isChanged, let problem = form.problem { Remark(sentence: problem) }
        }
        .contextMenu {
            Button("Restore Default") { restore() }.disabled(form.isDefault)
        }
        .onChange(of: form.typed) { _ in
            if form.appliesAtOnce { apply() }
        }
    }

    @ViewBuilder private var control: some View {
        switch form.control {
        case .toggle: Toggle(form.view.title, isOn: isOn).toggleStyle(.switch).labelsHidden()
        case .choice(let words):
            Picker(selection: $form.typed) {
                ForEach(words, id: \.self) { word in Text(verbatim: SettingForm.label(ofWord: word)).tag(word) }
            } label: {
                Text(verbatim: form.view.title)
            }
            .labelsHidden()
            .fixedSize()
        case .number(_, let unit, _):
            TextField(form.view.title, text: $form.typed)
                .labelsHidden()
                .frame(maxWidth: 100)
                .multilineTextAlignment(.trailing)
                .onSubmit(apply)
            if let unit { Text(verbatim: SettingForm.label(ofUnit: unit)).foregroundStyle(.secondary) }
        case .text: TextField(form.view.title, text: $form.typed).labelsHidden().onSubmit(apply)
        }
    }

    private var restoring: some View {
        Button(action: restore) {
            Image(systemName: "arrow.counterclockwise")
        }
        .buttonStyle(.borderless)
        .help(Text("Restore Default"))
        .accessibilityLabel(Text(verbatim: localized("Restore the default of “\(form.view.title)”")))
    }

    private var isOn: Binding<Bool> {
        Binding(get: { form.isOn }, set: { form.isOn = $0 })
    }

    private func apply() {
        guard let command = form.command else { return }
        Task {
            // Refused or given up, it shows again what holds.
            if await model.ask(command) == nil { form = SettingForm(form.view) }
        }
    }

    private func restore() {
        guard let command = form.resetCommand else { return }
        Task { _ = await model.ask(command) }
    }
}
