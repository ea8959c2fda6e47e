import ShellRules
import SwiftUI

/// The owner passphrase: its state, its author, and the actions on it (spec §11).
struct PassphraseSection: View {
    @ObservedObject var model: ShellModel
    /// The action of the open sheet.
    @State private var begun: PassphrasePane.Action?
    @State private var isTurningOff = false

    private var pane: PassphrasePane {
        PassphrasePane(model.state.status) { $0.formatted(date: .abbreviated, time: .shortened) }
    }

    var body: some View {
        Section {
            LabeledContent {
                ForEach(pane.actions) { action in Button(action.label) { begin(action) } }
            } label: {
                Text("Owner passphrase")
                Text(verbatim: pane.explanation)
            }
            .sheet(item: $begun) { NewPassphraseView(model: model, isReset: $0 == .reset) }
            .confirmationDialog("Turn off the owner passphrase?", isPresented: $isTurningOff) {
                Button("Turn Off", role: .destructive) { Task { _ = await model.ask(Command.PassphraseOff()) } }
            } message: {
                Text(verbatim: PassphrasePane.turnOffNote)
            }
            if let chosen = pane.chosen {
                LabeledContent {
                    if pane.doubt != nil {
                        Button("It Was Me") { Task { _ = await model.ask(Command.PassphraseConfirm()) } }
                    }
                } label: {
                    Text(verbatim: chosen)
                    if let doubt = pane.doubt { Text(verbatim: doubt) }
                }
            }
            if let reset = pane.reset { Remark(sentence: reset) }
        }
    }

    private func begin(_ action: PassphrasePane.Action) {
        if action == .turnOff { isTurningOff = true } else { begun = action }
    }
}

struct NewPassphraseView: View {
    let model: ShellModel
    /// True if the new passphrase replaces a forgotten one.
    let isReset: Bool
    @State private var form = PassphraseForm()
    @State private var problem: String?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 0) {
            Form {
                Section {
                    SecureField("New passphrase", text: $form.first)
                    SecureField("Verify", text: $form.again)
                } footer: {
                    if let problem = form.problem { Remark(sentence: problem, isProblem: !form.first.isEmpty) }
                    if isReset { Remark(sentence: PassphrasePane.resetNote, isProblem: false) }
                }
            }
            .formStyle(.grouped)
            if let problem { Remark(sentence: problem).padding([.horizontal, .bottom]) }
        }
        .frame(width: 400)
        .formButtons(
            isReset ? localized("Reset Passphrase") : localized("Set Passphrase"), isReady: form.command != nil, cancelled: dismiss,
            confirmed: finish)
    }

    private func finish() async {
        guard let command = form.command, let reset = form.resetCommand else { return }
        switch isReset ? await model.attempt(reset) : await model.attempt(command) {
        case .success:
            model.loadLists()
            dismiss()
        case .failure(let failure): problem = failure.isGivenUp ? nil : failure.sentence
        }
    }
}
