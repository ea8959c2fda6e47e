import ShellRules
import SwiftUI

/// The approval sheet of a pairing (spec §10), drawn from `PairingSheet`.
struct PairingWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.pairings.current {
            VStack(spacing: 0) {
                PairingForm(sheet: sheet, send: send)
                Divider()
                DecisionBar(deciding: sheet.deciding, answer: answer) { now in
                    DecisionBar.Content(
                        remark: sheet.remark(at: now), countdown: sheet.deciding.countdown(at: now),
                        deny: DecisionBar.Choice(label: localized("Deny"), state: sheet.deciding.denyButton(at: now)),
                        approve: DecisionBar.Choice(label: localized("Approve"), state: sheet.approveButton(at: now)))
                }
            }
            .frame(width: 480)
            .id(sheet.id)
        }
    }

    private func send(_ event: PairingSheet.Event) {
        model.send(.pairing(event))
    }

    private func answer(_ answer: DecisionBar.Answer) {
        switch answer {
        case .pressed(let verdict): send(.pressed(verdict))
        case .closed: send(.closed)
        case .typedPassphrase(let passphrase): send(.typedPassphrase(passphrase))
        case .gaveUpPassphrase: send(.gaveUpPassphrase)
        }
    }
}
