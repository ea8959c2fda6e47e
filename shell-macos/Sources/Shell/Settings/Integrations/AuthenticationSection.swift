import ShellRules
import SwiftUI

/// Settings > Integrations > Authentication: the tokens there are, minted, revoked and deleted.
struct AuthenticationSection: View {
    @ObservedObject var model: ShellModel
    @State private var isMinting = false
    @State private var revoked: TokenRow?
    @State private var deleted: TokenRow?

    private var rows: [TokenRow] {
        model.state.lists.tokens.map { token in TokenRow(token) { $0.formatted(date: .abbreviated, time: .shortened) } }
    }

    var body: some View {
        Section {
            if rows.isEmpty {
                Text("No tokens. The stdio bridge needs none; HTTP clients and extensions do.")
                    .foregroundStyle(.secondary)
            }
            ForEach(rows) { row in
                TokenLine(row: row, revoke: { revoked = row }, delete: { deleted = row })
            }
        } header: {
            HStack {
                Text("Authentication")
                Spacer()
                Button("New Token…") { isMinting = true }
            }
            // Not on the section, which is no view of its own: each of its rows would present them.
            .sheet(isPresented: $isMinting) { MintTokenView(model: model) }
            .confirmationDialog(
                Text(verbatim: TokenRow.revokeQuestion(revoked?.name ?? "")), isPresented: $revoked.isThere(), presenting: revoked
            ) { row in
                Button("Revoke", role: .destructive) { Task { _ = await model.ask(Command.TokensRevoke(id: row.id)) } }
            }
            .confirmationDialog(
                Text(verbatim: TokenRow.deleteQuestion(deleted?.name ?? "")), isPresented: $deleted.isThere(), presenting: deleted
            ) { row in
                Button("Delete", role: .destructive) { Task { _ = await model.ask(Command.TokensDelete(id: row.id)) } }
            }
        }
    }
}

struct TokenLine: View {
    let row: TokenRow
    let revoke: @MainActor () -> Void
    /// Nil for a box.
    var delete: (@MainActor () -> Void)?

    var body: some View {
        LabeledContent {
            Menu {
                Button("Revoke…", role: .destructive, action: revoke).disabled(!row.canRevoke)
                if let delete { Button("Delete…", role: .destructive, action: delete) }
            } label: {
                Image(systemName: "ellipsis.circle")
            }
            .menuStyle(.borderlessButton)
            .fixedSize()
            .accessibilityLabel(Text(verbatim: localized("Actions for \(row.name)")))
        } label: {
            HStack {
                Text(verbatim: row.name)
                if row.socket == nil {
                    Text(verbatim: "\(row.prefix)…").font(.body.monospaced()).foregroundStyle(.secondary)
                }
                if row.state != .valid {
                    Text(verbatim: row.state.label).font(.caption).foregroundStyle(.secondary)
                }
            }
            Text(verbatim: row.detail)
            if let socket = row.socket { Text(verbatim: socket).font(.caption.monospaced()).textSelection(.enabled) }
            ForEach(row.notes, id: \.self) { note in Text(verbatim: note) }
        }
    }
}
