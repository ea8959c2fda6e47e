import ShellRules
import SwiftUI

/// The foot of a card: remark, countdown and choices, or the owner passphrase if the daemon wants
/// it.
struct DecisionBar: View {
    let sheet: AskSheet
    let outcome: String?
    let send: @MainActor (AskSheet.Event) -> Void

    var body: some View {
        Group {
            if case .passphrase(_, let wanted) = sheet.deciding.phase {
                let prompt = PassphrasePrompt(wanted, wasRead: sheet.pairing == nil)
                PassphraseFields(prompt: prompt) { typed in send(.passphrase(typed)) }
                    // A person who has read one prompt has not read another.
                    .id(prompt)
            } else {
                Ticking { now in bar(now) }
            }
        }
        .padding()
    }

    private func bar(_ now: Moment) -> some View {
        VStack(alignment: .leading, spacing: 12) {
            if let outcome { Remark(sentence: outcome, isProblem: false) }
            if let remark = sheet.remark(at: now) { Remark(sentence: remark) }
            if let label = sheet.levelsLabel {
                Text(verbatim: label)
                ChoiceButtons(choices: sheet.levels(at: now), chosen: send)
            }
            if sheet.mayRunOften { times }
            HStack {
                if sheet.deciding.ending == nil { CountdownLabel(countdown: sheet.deciding.countdown(at: now)) }
                ChoiceButtons(choices: sheet.choices(at: now), chosen: send)
            }
        }
    }

    private var times: some View {
        HStack {
            ChoicePicker(
                "Each may run", Binding(get: { sheet.times }, set: { send(.choseTimes($0)) }), AskSheet.timesToChoose,
                AskSheet.label(ofTimes:)
            )
            .fixedSize()
            Spacer()
        }
        .disabled(!sheet.deciding.isOpen)
    }
}

/// The time that is left for a decision.
private struct CountdownLabel: View {
    let countdown: Countdown

    var body: some View {
        Label {
            Text(verbatim: countdown.words).monospacedDigit()
        } icon: {
            Image(systemName: "clock")
        }
        .foregroundStyle(.secondary)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text("Time left"))
        .accessibilityValue(Text(verbatim: countdown.spoken))
    }
}

/// Draws its content again as time passes: a countdown, or a button that is dimmed at first.
private struct Ticking<Content: View>: View {
    @ViewBuilder let content: @MainActor (_ now: Moment) -> Content
    @State private var start = Date()

    var body: some View {
        TimelineView(.periodic(from: start, by: 0.25)) { context in
            content(Moment(wall: context.date, uptimeSeconds: ProcessInfo.processInfo.systemUptime))
        }
    }
}
