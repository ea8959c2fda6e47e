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
                        FactBox(facts: sheet.changes) { model.send(.confirmation(id: sheet.id, .endShown)) }
                    }
                    FactGrid(facts: sheet.facts)
                    Text(verbatim: sheet.advice)
                        .foregroundStyle(.secondary)
                        .fixedSize(horizontal: false, vertical: true)
                }
                .padding(20)
                Divider()
                DecisionBar(sheet: sheet) {
                    model.send(.confirmation(id: sheet.id, ConfirmationSheet.Event($0)))
                }
            }
            .frame(minWidth: 480, idealWidth: 520)
            .id(sheet.id)
        }
    }
}
