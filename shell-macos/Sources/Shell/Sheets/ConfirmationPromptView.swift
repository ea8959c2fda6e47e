import ShellRules
import SwiftUI

/// Asks before the app's own request widens access: what it does, in the daemon's words, above what
/// would change.
struct ConfirmationPromptView: View {
    let prompt: ConfirmationPrompt
    let done: @MainActor (Bool) -> Void
    @State private var endWasShown = false

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: prompt.title).font(.headline)
            Text(verbatim: prompt.sentence)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
            if !prompt.changes.isEmpty {
                FactBox(facts: prompt.changes) { endWasShown = true }
            }
            if let remark = prompt.remark(endWasShown: endWasShown) { Remark(sentence: remark) }
            HStack {
                Spacer()
                ChoiceButtons(choices: prompt.choices(endWasShown: endWasShown), chosen: done)
            }
        }
        .padding(20)
        .frame(width: prompt.windowSize.width)
    }
}
