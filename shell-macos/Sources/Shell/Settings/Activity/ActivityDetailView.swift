import ShellRules
import SwiftUI

/// All of the chosen row in Activity. Its statement appears once the daemon has sent it.
struct ActivityDetailView: View {
    let model: ShellModel
    @State var detail: ActivityDetail

    var body: some View {
        ScrollView(.vertical) {
            VStack(alignment: .leading, spacing: 8) {
                ForEach(detail.statement) { StatementRowView(row: $0) }
                if let remark = detail.remark { Remark(sentence: remark, isProblem: false) }
                if detail.mayAskForAll { Button("Show It…") { Task { await ask(all: true) } } }
                FactGrid(facts: detail.facts)
            }
            .padding(10)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(height: 170)
        .onAppear { Task { await ask(all: nil) } }
    }

    private func ask(all: Bool?) async {
        guard var query = detail.query else { return }
        query.all = all
        detail.take(await model.attempt(query))
    }
}
