import ShellRules
import SwiftUI

/// Settings > Integrations > Boxes: the sockets that agents in containers and of other users have,
/// and their end. A terminal makes them.
struct BoxesSection: View {
    @ObservedObject var model: ShellModel
    @State private var rows: [TokenRow] = []
    @State private var revoked: TokenRow?

    var body: some View {
        Section {
            if rows.isEmpty {
                Text("No boxes. A terminal makes one for an agent in a container: sallyport boxes add NAME").foregroundStyle(
                    .secondary)
            }
            ForEach(rows) { row in TokenLine(row: row, revoke: { revoked = row }) }
        } header: {
            // Not on the section, which is no view of its own.
            Text("Boxes")
                .onAppear { load() }
                .onChange(of: model.state.lists.tokens) { _ in load() }
                .confirmationDialog(
                    Text(verbatim: TokenRow.revokeQuestion(revoked?.name ?? "")), isPresented: $revoked.isThere(),
                    presenting: revoked
                ) { row in
                    Button("Revoke", role: .destructive) {
                        Task { if await model.ask(Command.BoxesRevoke(id: row.id)) != nil { load() } }
                    }
                }
        }
    }

    private func load() {
        Task {
            guard case .success(let list) = await model.attempt(Command.BoxesList()) else { return }
            rows = list.boxes.map { box in TokenRow(box) { $0.formatted(date: .abbreviated, time: .shortened) } }
        }
    }
}
