import ShellRules
import SwiftUI

/// The foot of the sheets: remark, countdown and the sheet's choices; or the owner passphrase where
/// the daemon wants it.
struct DecisionBar<Sheet: DecisionSheet>: View {
    let sheet: Sheet
    let answer: @MainActor (DecisionAnswer) -> Void

    var body: some View {
        Group {
            if case .passphrase(_, let wanted) = sheet.deciding.phase {
                let prompt = PassphrasePrompt(wanted)
                PassphraseFields(prompt: prompt) { typed in answer(.passphrase(typed)) }
                    // What was read of one is not read of another.
                    .id(prompt)
            } else {
                Ticking { now in bar(now) }
            }
        }
        .padding()
    }

    private func bar(_ now: Moment) -> some View {
        VStack(alignment: .leading, spacing: 12) {
            if let remark = sheet.remark(at: now) { Remark(sentence: remark) }
            HStack {
                if sheet.deciding.ending == nil { CountdownLabel(countdown: sheet.deciding.countdown(at: now)) }
                Spacer()
                ChoiceButtons(choices: sheet.choices(at: now), chosen: answer)
            }
        }
    }
}
