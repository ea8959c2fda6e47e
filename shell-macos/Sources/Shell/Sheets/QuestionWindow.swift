import ShellRules
import SwiftUI

/// A question to the user (spec §12), drawn from `QuestionSheet`: facts above, the statement below,
/// both verdicts.
struct QuestionWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.questions.current {
            VStack(alignment: .leading, spacing: 0) {
                VStack(alignment: .leading, spacing: 12) {
                    Text(verbatim: sheet.title)
                        .font(.headline)
                        .fixedSize(horizontal: false, vertical: true)
                    FactGrid(facts: sheet.facts)
                }
                .padding(20)
                if !sheet.statementRows.isEmpty {
                    StatementBox(rows: sheet.statementRows) { send(.endShown, sheet.id) }
                        .padding(.horizontal, 20)
                        .padding(.bottom, 12)
                }
                Spacer(minLength: 0)
                Divider()
                DecisionBar(sheet: sheet) { send(QuestionSheet.Event($0), sheet.id) }
            }
            .frame(minWidth: 520, idealWidth: QuestionSheet.windowWidth, minHeight: 320)
            .id(sheet.id)
        }
    }

    private func send(_ event: QuestionSheet.Event, _ id: String) {
        model.send(.question(id: id, event))
    }
}
