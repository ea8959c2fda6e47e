import ShellRules
import SwiftUI

/// One setting of the daemon. A switch or a choice takes effect at once; a field takes effect when
/// it loses focus.
struct SettingLine: View {
    let model: ShellModel
    @State var form: SettingForm
    @FocusState private var hasFocus: Bool

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
            if let problem = form.problem { Remark(sentence: problem) }
        }
        .contextMenu {
            Button("Restore Default") { restore() }.disabled(form.isDefault)
        }
        .onChange(of: form.typed) { _ in
            if form.appliesAtOnce { apply() }
        }
        .onChange(of: hasFocus) { hasFocus in
            if !hasFocus { apply() }
        }
        // The person closed the window or chose another pane.
        .onDisappear(perform: apply)
    }

    @ViewBuilder private var control: some View {
        switch form.control {
        case .toggle: Toggle(form.view.title, isOn: $form.isOn).toggleStyle(.switch).labelsHidden()
        case .choice(let words):
            Picker(selection: $form.typed) {
                ForEach(words, id: \.self) { word in Text(verbatim: SettingForm.label(ofWord: word)).tag(word) }
            } label: {
                Text(verbatim: form.view.title)
            }
            .labelsHidden()
            .fixedSize()
        case .field(let unit):
            TextField(form.view.title, text: $form.typed)
                .labelsHidden()
                .frame(maxWidth: 100)
                .multilineTextAlignment(.trailing)
                .focused($hasFocus)
                .onSubmit(apply)
            if let unit { Text(verbatim: unit).foregroundStyle(.secondary) }
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

    private func apply() {
        guard let command = form.change() else { return }
        Task {
            switch await model.attempt(command) {
            case .success: model.loadLists()
            case .failure(let failure): form.refused(failure)
            }
        }
    }

    private func restore() {
        guard let command = form.resetCommand else { return }
        // The text in the field must not be sent afterwards.
        form = SettingForm(form.view)
        Task { _ = await model.ask(command) }
    }
}
