import ShellRules
import SwiftUI

/// Asks before the app's own request causes a privilege increase. It shows the daemon's sentence
/// and the changes.
struct ConfirmationPromptView: View {
    let prompt: ConfirmationPrompt
    let done: @MainActor (Bool) -> Void
    @State private var endWasShown = false

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: prompt.title).font(.headline)
            WrappedText(prompt.sentence)
            FactBox(facts: prompt.changes) { endWasShown = true }
            if let remark = prompt.remark(endWasShown: endWasShown) { Remark(sentence: remark) }
            ChoiceButtons(choices: prompt.choices(endWasShown: endWasShown), chosen: done)
        }
        .padding(20)
        .frame(width: prompt.windowSize.width)
    }
}
