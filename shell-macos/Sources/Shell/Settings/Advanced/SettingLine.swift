import ShellRules
import SwiftUI

/// One setting of the daemon: a switch, a choice or a field, in effect at once.
struct SettingLine: View {
    let model: ShellModel
    @State var form: SettingForm

    var body: some View {
        Group {
            switch form.control {
            case .toggle:
                Toggle(isOn: isOn) { title }
            case .choice(let words):
                Picker(selection: $form.typed) {
                    ForEach(words, id: \.self) { word in Text(localized(SettingForm.label(ofWord: word))).tag(word) }
                } label: {
                    title
                }
            case .number(_, let unit, _):
                LabeledContent {
                    TextField(localized(form.view.label), text: $form.typed)
                        .labelsHidden()
                        .frame(maxWidth: 100)
                        .multilineTextAlignment(.trailing)
                        .onSubmit(apply)
                    if let unit { Text(localized(unit)).foregroundStyle(.secondary) }
                } label: {
                    title
                }
            case .text:
                LabeledContent {
                    TextField(localized(form.view.label), text: $form.typed).labelsHidden().onSubmit(apply)
                } label: {
                    title
                }
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

    @ViewBuilder private var title: some View {
        Text(localized(form.view.label))
        Text(localized(form.view.explanation))
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
