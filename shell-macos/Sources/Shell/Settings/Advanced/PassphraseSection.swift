import ShellRules
import SwiftUI

/// The owner passphrase: set, changed, cleared (spec §11).
struct PassphraseSection: View {
    let model: ShellModel
    @State private var isSetting = false
    @State private var isClearing = false

    var body: some View {
        Section {
            LabeledContent {
                Button("Clear…") { isClearing = true }
                Button("Set or Change…") { isSetting = true }
            } label: {
                Text("Owner passphrase")
                Text("Confirms what gives AI clients more access, so that no program of yours can grant itself more.")
            }
            .sheet(isPresented: $isSetting) { NewPassphraseView(model: model) }
            .confirmationDialog("Clear the owner passphrase?", isPresented: $isClearing) {
                Button("Clear", role: .destructive) { Task { _ = await model.ask(Command.ClearPassphrase()) } }
            } message: {
                Text("Any program of yours may then give AI clients more access.")
            }
        }
    }
}

private struct NewPassphraseView: View {
    let model: ShellModel
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
                    if !form.first.isEmpty, let problem = form.problem { Remark(sentence: problem) }
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
                Button("Set Passphrase") { Task { await set() } }
                    .keyboardShortcut(.defaultAction)
                    .disabled(form.command == nil)
            }
        }
    }

    private func set() async {
        guard let command = form.command else { return }
        switch await model.attempt(command) {
        case .success: dismiss()
        case .failure(let failure): problem = failure.isGivenUp ? nil : failure.sentence
        }
    }
}
