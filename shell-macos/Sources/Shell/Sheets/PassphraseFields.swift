import ShellRules
import SwiftUI

/// Asks for the owner passphrase. Holds what is typed no longer than until it is handed on.
struct PassphraseFields: View {
    let sentence: String
    /// Nil where it was given up.
    let done: @MainActor (String?) -> Void
    @State private var typed = ""
    @FocusState private var isFocused: Bool

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: sentence)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
            SecureField("Owner Passphrase", text: $typed)
                .focused($isFocused)
                .onSubmit(confirm)
            HStack {
                Spacer()
                Button("Cancel", role: .cancel) { finish(nil) }
                    .keyboardShortcut(.cancelAction)
                Button("Confirm", action: confirm)
                    .keyboardShortcut(.defaultAction)
                    .disabled(typed.isEmpty)
            }
        }
        .onAppear { isFocused = true }
    }

    private func confirm() {
        if !typed.isEmpty { finish(typed) }
    }

    private func finish(_ passphrase: String?) {
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
            PassphraseFields(sentence: prompt.sentence, done: done)
        }
        .padding(20)
        .frame(width: 420)
    }
}
