import ShellRules
import SwiftUI

/// Asks for the owner passphrase below everything that it allows. The typed text is dropped as soon
/// as it is handed on.
struct PassphraseFields: View {
    let prompt: PassphrasePrompt
    /// Called with nil if the person gives up.
    let done: @MainActor (String?) -> Void
    @State private var typed = ""
    @State private var endWasShown = false
    @FocusState private var isFocused: Bool

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            WrappedText(prompt.sentence)
            FactBox(facts: prompt.changes) { endWasShown = true }
            WrappedText(prompt.request)
            SecureField("Owner Passphrase", text: $typed)
                .focused($isFocused)
                .onSubmit(confirm)
            if let remark = prompt.remark(endWasShown: endWasShown) { Remark(sentence: remark) }
            ChoiceButtons(choices: prompt.choices(typed: typed, endWasShown: endWasShown), chosen: finish)
        }
        .onAppear { isFocused = true }
    }

    /// Return in the field confirms, as the button does.
    private func confirm() {
        if prompt.canConfirm(typed: typed, endWasShown: endWasShown) { finish(true) }
    }

    private func finish(_ isConfirmed: Bool) {
        let passphrase = isConfirmed ? typed : nil
        typed = ""
        done(passphrase)
    }
}

/// The fields in their own window.
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
        .frame(width: prompt.windowSize.width)
    }
}
