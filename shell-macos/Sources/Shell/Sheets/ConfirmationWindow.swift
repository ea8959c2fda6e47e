import ShellRules
import SwiftUI

/// A privilege increase that another shell asks for (spec §11), drawn from `ConfirmationSheet`.
struct ConfirmationWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.confirmations.current {
            VStack(alignment: .leading, spacing: 0) {
                VStack(alignment: .leading, spacing: 12) {
                    WrappedText(sheet.title).font(.headline)
                    WrappedText(sheet.sentence)
                    FactBox(facts: sheet.changes) { model.send(.confirmation(id: sheet.id, .endShown)) }
                    FactGrid(facts: sheet.facts)
                    WrappedText(sheet.advice)
                        .foregroundStyle(.secondary)
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
