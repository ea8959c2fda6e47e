import ShellRules
import SwiftUI

/// All that waits for the person (spec §12), drawn from `DeskList`: the card of what is chosen, and
/// beside it the list.
struct DeskWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        let desk = model.state.desk
        HStack(alignment: .top, spacing: 0) {
            Group {
                if let sheet = desk.sheet {
                    AskCard(sheet: sheet, outcome: desk.outcome) { model.send(.sheet(id: sheet.id, $0)) }
                        // A person who has read one card has not read another.
                        .id(sheet.id)
                } else {
                    nothingChosen(desk)
                }
            }
            .frame(minWidth: 560, idealWidth: DeskList.cardWidth, minHeight: 320)
            Divider()
            rows(desk)
        }
    }

    private func nothingChosen(_ desk: DeskList) -> some View {
        VStack(alignment: .leading, spacing: 12) {
            WrappedText(desk.title).font(.headline)
            Spacer(minLength: 0)
            if let remark = desk.remark { Remark(sentence: remark, isProblem: false) }
            ChoiceButtons(choices: desk.leave) { model.send(.desk($0)) }
        }
        .padding(20)
    }

    private func rows(_ desk: DeskList) -> some View {
        ScrollView(.vertical) {
            VStack(alignment: .leading, spacing: 8) {
                ForEach(desk.rows) { row in
                    Toggle(isOn: Binding(get: { row.isChosen }, set: { model.send(.desk(.ticked(id: row.id, $0))) })) {
                        VStack(alignment: .leading, spacing: 2) {
                            Text(verbatim: row.title)
                            Text(verbatim: row.detail)
                                .font(.caption)
                                .foregroundStyle(.secondary)
                        }
                    }
                    .disabled(row.isOver)
                }
                if desk.mayChooseAll {
                    Toggle(
                        "All refused",
                        isOn: Binding(get: { desk.areAllChosen }, set: { model.send(.desk(.tickedAll($0))) }))
                }
            }
            .padding(12)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(width: DeskList.listWidth)
    }
}
