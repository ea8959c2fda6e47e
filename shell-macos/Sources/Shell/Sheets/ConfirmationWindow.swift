import ShellRules
import SwiftUI

/// What another shell asks that widens access (spec §11), drawn from `ConfirmationSheet`.
struct ConfirmationWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.confirmations.current {
            VStack(alignment: .leading, spacing: 0) {
                VStack(alignment: .leading, spacing: 12) {
                    Text(verbatim: sheet.title)
                        .font(.headline)
                        .fixedSize(horizontal: false, vertical: true)
                    Text(verbatim: sheet.sentence)
                        .fixedSize(horizontal: false, vertical: true)
                        .textSelection(.enabled)
                    if !sheet.changes.isEmpty {
                        FactBox(facts: sheet.changes) { model.confirm(.endShown, for: sheet.id) }
                    }
                    FactGrid(facts: sheet.facts)
                    Text(verbatim: sheet.advice)
                        .foregroundStyle(.secondary)
                        .fixedSize(horizontal: false, vertical: true)
                }
                .padding(20)
                Divider()
                DecisionBar(deciding: sheet.deciding, answer: { answer($0, sheet.id) }) { now in
                    DecisionBar.Content(
                        remark: sheet.remark(at: now), countdown: sheet.deciding.countdown(at: now),
                        deny: DecisionBar.Choice(label: sheet.denyLabel, state: sheet.deciding.denyButton(at: now)),
                        approve: DecisionBar.Choice(label: sheet.approveLabel, state: sheet.approveButton(at: now)))
                }
            }
            .frame(minWidth: 480, idealWidth: 520)
            .id(sheet.id)
        }
    }

    private func answer(_ answer: DecisionBar.Answer, _ id: String) {
        switch answer {
        case .pressed(let verdict): model.confirm(.pressed(verdict), for: id)
        case .closed: model.confirm(.closed, for: id)
        // Nobody is asked for a passphrase here: being the app is what confirms.
        case .typedPassphrase, .gaveUpPassphrase: break
        }
    }
}
