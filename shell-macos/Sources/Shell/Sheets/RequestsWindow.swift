import ShellRules
import SwiftUI

/// The refused requests of AI clients (spec §12), drawn from `RequestList`: the list, the chosen
/// requests in full, and the answers.
struct RequestsWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let list = model.state.requests {
            VStack(alignment: .leading, spacing: 12) {
                WrappedText(list.title).font(.headline)
                if list.hasRows { rows(list) }
                if !list.chosen.isEmpty {
                    ReadingBox(label: localized("What was asked"), idealHeight: 300) {
                        send(.endShown(of: list.reading))
                    } content: {
                        ForEach(list.chosen) { RequestInFull(request: $0) }
                    }
                    // A person who has read one choice has not read another. The same holds before
                    // the rows are counted.
                    .id(list.reading)
                }
                Spacer(minLength: 0)
                Divider()
                if let remark = list.remark { Remark(sentence: remark, isProblem: false) }
                if let label = list.levelsLabel {
                    Text(verbatim: label)
                    ChoiceButtons(choices: list.levels) { send(.pressed($0)) }
                }
                if list.mayRunOften { times(list) }
                ChoiceButtons(choices: list.choices) { send(.pressed($0)) }
            }
            .padding(20)
            .frame(minWidth: 560, idealWidth: RequestList.windowWidth, minHeight: 320)
        }
    }

    private func rows(_ list: RequestList) -> some View {
        ScrollView(.vertical) {
            VStack(alignment: .leading, spacing: 6) {
                Toggle("All of them", isOn: Binding(get: { list.areAllChosen }, set: { send(.tickedAll($0)) }))
                ForEach(list.rows) { row in
                    Toggle(isOn: Binding(get: { row.isChosen }, set: { send(.ticked(id: row.id, $0)) })) {
                        VStack(alignment: .leading, spacing: 2) {
                            Text(verbatim: row.title)
                            Text(verbatim: row.detail)
                                .font(.caption)
                                .foregroundStyle(.secondary)
                        }
                    }
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(minHeight: 60, idealHeight: 120, maxHeight: 160)
    }

    private func times(_ list: RequestList) -> some View {
        HStack {
            ChoicePicker(
                "Each may run", Binding(get: { list.times }, set: { send(.choseTimes($0)) }), RequestList.timesToChoose,
                RequestList.label(ofTimes:)
            )
            .fixedSize()
            Spacer()
        }
    }

    private func send(_ event: RequestList.Event) {
        model.send(.requests(.list(event)))
    }
}

/// One request in full, as it will run.
private struct RequestInFull: View {
    let request: AccessRequestView

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            FactGrid(facts: request.facts)
            ForEach(request.statementRows) { StatementRowView(row: $0) }
        }
        .padding(8)
    }
}
