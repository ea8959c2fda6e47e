import ShellRules
import SwiftUI

/// A question to the user (spec §12), drawn from `QuestionSheet`: the facts, the statement, and
/// both verdicts.
struct QuestionWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.questions.current {
            VStack(alignment: .leading, spacing: 0) {
                VStack(alignment: .leading, spacing: 12) {
                    HStack(alignment: .firstTextBaseline, spacing: 8) {
                        if let colour = sheet.view.connection.colour { ColourDot(colour: colour) }
                        title(sheet.titleParts)
                            .font(.title3)
                            .fixedSize(horizontal: false, vertical: true)
                    }
                    FactGrid(facts: sheet.facts)
                }
                .padding(20)
                if !sheet.statementRows.isEmpty {
                    ReadingBox(label: localized("Statement"), idealHeight: QuestionSheet.statementHeight(sheet.statementRows)) {
                        send(.endShown, sheet.id)
                    } content: {
                        ForEach(sheet.statementRows) { StatementRowView(row: $0) }
                    }
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

    private func title(_ parts: [String]) -> Text {
        parts.enumerated().reduce(Text(verbatim: "")) { title, part in
            let text = Text(verbatim: part.element)
            return title + (part.offset.isMultiple(of: 2) ? text : text.bold())
        }
    }

    private func send(_ event: QuestionSheet.Event, _ id: String) {
        model.send(.question(id: id, event))
    }
}
