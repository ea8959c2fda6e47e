import ShellRules
import SwiftUI

/// Asks before the app's own request widens access: what it does, in the daemon's words. Return and Esc cancel.
struct ConfirmationPromptView: View {
    let prompt: ConfirmationPrompt
    let done: @MainActor (Bool) -> Void

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: prompt.title).font(.headline)
            Text(verbatim: prompt.sentence)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
            HStack {
                Spacer()
                Button(prompt.approveLabel) { done(true) }
                Button(prompt.denyLabel) { done(false) }
                    .keyboardShortcut(.defaultAction)
                    .background { EscapeKey { done(false) } }
            }
        }
        .padding(20)
        .frame(width: 420)
    }
}
