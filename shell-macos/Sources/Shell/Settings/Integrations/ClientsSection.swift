import ShellRules
import SwiftUI

/// Settings > Integrations > Connected Now: the clients of the server, their names and their
/// transports.
struct ClientsSection: View {
    @ObservedObject var model: ShellModel

    private var rows: [ClientRow] {
        model.state.lists.clients.map { client in ClientRow(client) { $0.formatted(date: .abbreviated, time: .shortened) } }
    }

    var body: some View {
        Section("Connected Now") {
            if rows.isEmpty { Text("No client.").foregroundStyle(.secondary) }
            ForEach(rows) { row in
                VStack(alignment: .leading, spacing: 2) {
                    if let name = row.claimedName {
                        HStack(spacing: 8) {
                            Text(verbatim: name)
                            Text("not verified").font(.caption).foregroundStyle(.secondary)
                        }
                    } else {
                        Text(verbatim: ClientRow.unnamed)
                    }
                    Text(verbatim: row.detail).font(.caption).foregroundStyle(.secondary)
                }
                .accessibilityElement(children: .combine)
            }
        }
        // No event reports a client that connects or disconnects.
        .onAppear { model.loadLists() }
    }
}
