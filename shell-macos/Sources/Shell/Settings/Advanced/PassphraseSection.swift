import ShellRules
import SwiftUI

/// The owner passphrase: its state, who chose it, and what can be done about it (spec §11).
struct PassphraseSection: View {
    @ObservedObject var model: ShellModel
    @State private var isSetting = false
    @State private var isResetting = false
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
            .sheet(isPresented: $isSetting) { NewPassphraseView(model: model, isReset: false) }
            .sheet(isPresented: $isResetting) { NewPassphraseView(model: model, isReset: true) }
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
        switch action {
        case .choose, .change: isSetting = true
        case .reset: isResetting = true
        case .turnOff: isTurningOff = true
        }
    }
}

struct NewPassphraseView: View {
    let model: ShellModel
    /// In the place of one that was forgotten.
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
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button("Cancel", role: .cancel) { dismiss() }.keyboardShortcut(.cancelAction)
            }
            ToolbarItem(placement: .confirmationAction) {
                Button(isReset ? localized("Reset Passphrase") : localized("Set Passphrase")) { Task { await finish() } }
                    .keyboardShortcut(.defaultAction)
                    .disabled(form.command == nil)
            }
        }
    }

    private func finish() async {
        switch isReset ? await attempt(form.resetCommand) : await attempt(form.command) {
        case .success?:
            model.loadLists()
            dismiss()
        case .failure(let failure)?: problem = failure.isGivenUp ? nil : failure.sentence
        case nil: break
        }
    }

    private func attempt<Asked: ControlCommand>(_ command: Asked?) async -> ShellModel.Outcome<Asked>? {
        guard let command else { return nil }
        return await model.attempt(command)
    }
}
