import ShellRules
import SwiftUI

/// Asks for the owner passphrase, below what it would change. Holds what is typed no longer than until it is handed on.
struct PassphraseFields: View {
    let prompt: PassphrasePrompt
    /// Nil where it was given up.
    let done: @MainActor (String?) -> Void
    @State private var typed = ""
    @State private var endWasShown = false
    @FocusState private var isFocused: Bool

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: prompt.sentence)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
            if !prompt.changes.isEmpty {
                FactBox(facts: prompt.changes) { endWasShown = true }
            }
            SecureField("Owner Passphrase", text: $typed)
                .focused($isFocused)
                .onSubmit { if prompt.canConfirm(typed: typed, endWasShown: endWasShown) { finish(true) } }
            if let remark = prompt.remark(endWasShown: endWasShown) { Remark(sentence: remark) }
            HStack {
                Spacer()
                ChoiceButtons(choices: prompt.choices(typed: typed, endWasShown: endWasShown), chosen: finish)
            }
        }
        .onAppear { isFocused = true }
    }

    /// Return in the field confirms, as the button does.
    private func finish(_ isConfirmed: Bool) {
        let passphrase = isConfirmed ? typed : nil
        typed = ""
        done(passphrase)
    }
}

/// The same in a window of its own.
struct PassphraseView: View {
    let prompt: PassphrasePrompt
    let done: @MainActor (String?) -> Void

    var body: some View {
        HStack(alignment: .top, spacing: 16) {
            Image(systemName: "lock.fill")
                .font(.largeTitle)
                .foregroundStyle(.secondary)
                .accessibilityHidden(true)
            PassphraseFields(prompt: prompt, done: done)
        }
        .padding(20)
        .frame(width: prompt.changes.isEmpty ? 420 : 520)
    }
}
