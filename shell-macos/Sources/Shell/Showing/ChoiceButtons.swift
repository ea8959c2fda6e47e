import ShellRules
import SwiftUI

/// The buttons under what a person decides on, as `Choice` has them. The only place where a verdict
/// gets its key and its state.
struct ChoiceButtons<Answer: Equatable & Sendable>: View {
    let choices: [Choice<Answer>]
    let chosen: @MainActor (Answer) -> Void

    var body: some View {
        ForEach(choices) { choice in
            Button(choice.label) { chosen(choice.answer) }
                .keyboardShortcut(shortcut(choice.keys))
                .background {
                    // A button takes one key only: Esc stands beside the one that has Return.
                    if choice.keys == [.returnKey, .escape] { EscapeKey { chosen(choice.answer) } }
                }
                .disabled(!choice.state.isEnabled)
                .accessibilityHint(Text(verbatim: choice.state.reason ?? ""))
        }
    }

    private func shortcut(_ keys: Set<ChoiceKey>) -> KeyboardShortcut? {
        if keys.contains(.returnKey) { return .defaultAction }
        return keys.contains(.escape) ? .cancelAction : nil
    }
}

private struct EscapeKey: View {
    let pressed: @MainActor () -> Void

    var body: some View {
        Button("Cancel", action: pressed)
            .keyboardShortcut(.cancelAction)
            .opacity(0)
            .accessibilityHidden(true)
    }
}
