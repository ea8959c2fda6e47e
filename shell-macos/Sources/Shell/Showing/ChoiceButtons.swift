import ShellRules
import SwiftUI

/// The buttons of a decision, from `Choice`. Only this view gives a verdict its key and its state.
struct ChoiceButtons<Answer: Equatable & Sendable>: View {
    let choices: [Choice<Answer>]
    let chosen: @MainActor (Answer) -> Void

    var body: some View {
        HStack {
            Spacer()
            ForEach(choices) { choice in
                Button(choice.label) { chosen(choice.answer) }
                    .keyboardShortcut(shortcut(choice.keys))
                    .background {
                        // A button takes one key only, so a second, hidden button takes Esc.
                        if choice.keys == [.returnKey, .escape] { EscapeKey { chosen(choice.answer) } }
                    }
                    .disabled(!choice.state.isEnabled)
                    .accessibilityHint(Text(verbatim: choice.state.reason ?? ""))
            }
        }
    }

    private func shortcut(_ keys: Set<ChoiceKey>) -> KeyboardShortcut? {
        if keys.contains(.returnKey) { return .defaultAction }
        if keys.contains(.commandReturn) { return KeyboardShortcut(.return) }
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
