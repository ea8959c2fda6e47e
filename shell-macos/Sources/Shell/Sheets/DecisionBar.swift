import ShellRules
import SwiftUI

/// The foot of both sheets: remark, countdown, Deny and Approve; or the owner passphrase where the daemon wants it. Return and Esc
/// deny, Approve has no key.
struct DecisionBar: View {
    struct Choice {
        let label: String
        let state: ButtonState
    }

    struct Content {
        let remark: String?
        let countdown: Countdown
        let deny: Choice
        let approve: Choice
    }

    enum Answer {
        case pressed(Verdict)
        case closed
        case typedPassphrase(String)
        case gaveUpPassphrase
    }

    let deciding: Deciding
    let answer: @MainActor (Answer) -> Void
    let content: @MainActor (_ now: Moment) -> Content

    var body: some View {
        Group {
            if case .passphrase(_, let wanted) = deciding.phase {
                let prompt = PassphrasePrompt(wanted)
                PassphraseFields(prompt: prompt) { typed in
                    answer(typed.map { .typedPassphrase($0) } ?? .gaveUpPassphrase)
                }
                // What was read of one is not read of another.
                .id(prompt)
            } else {
                Ticking { now in bar(content(now)) }
            }
        }
        .padding()
    }

    private func bar(_ content: Content) -> some View {
        VStack(alignment: .leading, spacing: 12) {
            if let remark = content.remark { Remark(sentence: remark) }
            HStack {
                if deciding.ending == nil { CountdownLabel(countdown: content.countdown) }
                Spacer()
                if deciding.ending == nil {
                    button(content.approve, .approve)
                    button(content.deny, .deny)
                        .keyboardShortcut(.defaultAction)
                        .background { EscapeKey { answer(.pressed(.deny)) } }
                } else {
                    Button("Close") { answer(.closed) }
                        .keyboardShortcut(.defaultAction)
                        .background { EscapeKey { answer(.closed) } }
                }
            }
        }
    }

    private func button(_ choice: Choice, _ verdict: Verdict) -> some View {
        Button(choice.label) { answer(.pressed(verdict)) }
            .disabled(!choice.state.isEnabled)
            .accessibilityHint(Text(verbatim: choice.state.reason ?? ""))
    }
}

/// Esc beside a button that has Return: a button takes one key only.
struct EscapeKey: View {
    let pressed: @MainActor () -> Void

    var body: some View {
        Button("Cancel", action: pressed)
            .keyboardShortcut(.cancelAction)
            .opacity(0)
            .accessibilityHidden(true)
    }
}
