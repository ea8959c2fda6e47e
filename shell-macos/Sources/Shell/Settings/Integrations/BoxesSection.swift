import ShellRules
import SwiftUI

/// Settings > Integrations > Boxes: lists and revokes the sockets of agents in containers and of
/// other users. A terminal makes them.
struct BoxesSection: View {
    @ObservedObject var model: ShellModel
    @State private var rows: [TokenRow] = []

    var body: some View {
        Section {
            if rows.isEmpty {
                Text("No boxes. A terminal makes one for an agent in a container: sallyport boxes add NAME").foregroundStyle(
                    .secondary)
            }
            ForEach(rows) { row in
                TokenLine(row: row) { if await model.ask(Command.BoxesRevoke(id: row.id)) != nil { load() } }
            }
        } header: {
            // On the header, because a section is no view.
            Text("Boxes")
                .onAppear { load() }
                .onChange(of: model.state.lists.tokens) { _ in load() }
        }
    }

    private func load() {
        Task {
            guard case .success(let list) = await model.attempt(Command.BoxesList()) else { return }
            rows = list.boxes.map { box in TokenRow(box) { $0.formatted(date: .abbreviated, time: .shortened) } }
        }
    }
}
