import ShellRules
import SwiftUI

/// Settings > Connections: the saved connections and the actions on them.
struct ConnectionsPane: View {
    @ObservedObject var model: ShellModel
    @State private var selected: String?
    @State private var edited: ConnectionForm?
    @State private var isRemoving = false
    @State private var isTesting = false
    @State private var tested: ConnectionTestText?

    var body: some View {
        VStack(spacing: 0) {
            table
            Divider()
            bar
        }
        .sheet(item: $edited) { edited in
            ConnectionEditor(model: model, form: edited)
        }
        .confirmationDialog(
            Text(verbatim: localized("Remove “\(selectedRow?.name ?? "")”?")), isPresented: $isRemoving, presenting: selectedRow
        ) { row in
            Button("Remove", role: .destructive) { remove(row) }
        } message: { _ in
            Text(
                "Clients lose this connection at once. Sallyport keeps it with its password for seven days: sallyport connections restore NAME in a terminal brings it back."
            )
        }
        .alert(
            Text(verbatim: tested?.headline ?? ""), isPresented: $tested.isThere(), presenting: tested
        ) { tested in
            if let hostKey = tested.hostKey, let selected {
                Button("Trust This Key") { Task { await test(selected, hostKey) } }
            }
            Button("OK", role: .cancel) {}
        } message: { tested in
            Text(verbatim: tested.lines)
        }
    }

    private var rows: [ConnectionRow] {
        model.state.lists.connections.map { ConnectionRow($0, at: Date()) }
    }

    private var table: some View {
        Table(rows, selection: $selected) {
            TableColumn("Name") { row in
                HStack(spacing: 6) {
                    ColourDot(colour: row.colour)
                    Text(verbatim: row.name)
                }
            }
            .width(min: 100, ideal: 150)
            TableColumn("Database") { row in
                Text(verbatim: row.place)
                    .foregroundStyle(.secondary)
                    .truncationMode(.middle)
                    .help(Text(verbatim: row.placeInFull))
            }
            .width(min: 150, ideal: 246)
            TableColumn("Group") { row in Text(verbatim: row.group ?? "") }
                .width(min: 60, ideal: 80)
            TableColumn("External Clients") { row in Text(verbatim: row.access) }
                .width(min: 150, ideal: 284)
        }
        .contextMenu(forSelectionType: String.self) { ids in
            if let id = ids.first {
                Button("Edit…") { edit(id) }
                Button("Test") { Task { await test(id) } }
                Divider()
                Button("Remove…", role: .destructive) { askToRemove(id) }
            }
        } primaryAction: { ids in
            if let id = ids.first { edit(id) }
        }
        .onDeleteCommand { if let selected { askToRemove(selected) } }
        .overlay {
            if rows.isEmpty {
                EmptyState(
                    symbol: "cylinder.split.1x2", title: localized("No Connections"),
                    sentence: localized(
                        "Add a database, and AI clients may use it as far as you allow, without its password."))
            }
        }
    }

    private var bar: some View {
        HStack(spacing: 8) {
            ControlGroup {
                symbolButton("plus", Text("Add Connection"), help: Text("Add a connection")) {
                    edit(nil)
                }
                .keyboardShortcut("n")
                symbolButton("minus", Text("Remove Connection"), help: Text("Remove the selected connection")) {
                    if let selected { askToRemove(selected) }
                }
                .disabled(selected == nil)
            }
            .fixedSize()
            Spacer()
            if isTesting { ProgressView().controlSize(.small) }
            Button("Test") { if let selected { Task { await test(selected) } } }
                .disabled(selected == nil || isTesting)
                .help("Dial the selected database")
            Button("Edit…") { if let selected { edit(selected) } }
                .disabled(selected == nil)
        }
        .padding(10)
    }

    private func symbolButton(
        _ symbol: String, _ label: Text, help: Text, pressed: @escaping @MainActor () -> Void
    ) -> some View {
        Button(action: pressed) { Image(systemName: symbol) }
            .help(help)
            .accessibilityLabel(label)
    }

    private var selectedRow: ConnectionRow? { rows.first { $0.id == selected } }

    /// - Parameter id: nil for a new connection.
    private func edit(_ id: String?) {
        Task { edited = await model.answer(to: ConnectionForm.opening(id)).map { ConnectionForm(id, $0) } }
    }

    private func askToRemove(_ id: String) {
        selected = id
        isRemoving = true
    }

    private func remove(_ row: ConnectionRow) {
        Task { _ = await model.ask(Command.ConnectionsDelete(connection: row.id)) }
    }

    private func test(_ id: String, _ hostKey: String? = nil) async {
        selected = id
        isTesting = true
        defer { isTesting = false }
        let result = await model.ask(Command.ConnectionsTest(connection: id, hostKey: hostKey))
        tested = result.map(ConnectionTestText.init)
    }
}
