import ShellRules
import SwiftUI

/// Settings > Integrations > Authentication: lists, makes, revokes and deletes tokens.
struct AuthenticationSection: View {
    @ObservedObject var model: ShellModel
    @State private var isMinting = false

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
                TokenLine(
                    row: row, revoke: { await model.ask(Command.TokensRevoke(id: row.id)) },
                    delete: { await model.ask(Command.TokensDelete(id: row.id)) })
            }
        } header: {
            HStack {
                Text("Authentication")
                Spacer()
                Button("New Token…") { isMinting = true }
            }
            // On the header, because a section is no view: each of its rows would present the
            // sheet.
            .sheet(isPresented: $isMinting) { MintTokenView(model: model) }
        }
    }
}

struct TokenLine: View {
    let row: TokenRow
    let revoke: @MainActor () async -> Void
    /// Nil for a box.
    var delete: (@MainActor () async -> Void)?
    @State private var isRevoking = false
    @State private var isDeleting = false

    var body: some View {
        LabeledContent {
            Menu {
                Button("Revoke…", role: .destructive) { isRevoking = true }.disabled(!row.canRevoke)
                if delete != nil { Button("Delete…", role: .destructive) { isDeleting = true } }
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
        .confirmationDialog(Text(verbatim: TokenRow.revokeQuestion(row.name)), isPresented: $isRevoking, presenting: row) { _ in
            Button("Revoke", role: .destructive) { Task { await revoke() } }
        }
        .confirmationDialog(Text(verbatim: TokenRow.deleteQuestion(row.name)), isPresented: $isDeleting, presenting: row) { _ in
            Button("Delete", role: .destructive) { Task { await delete?() } }
        }
    }
}
