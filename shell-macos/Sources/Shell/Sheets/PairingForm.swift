import ShellRules
import SwiftUI

/// The approval sheet's facts and its three controls: permission level, connections, expiration.
struct PairingForm: View {
    let sheet: PairingSheet
    let send: @MainActor (PairingSheet.Event) -> Void

    var body: some View {
        Form {
            Section {
                FactRows(facts: sheet.facts)
            } header: {
                Text(verbatim: PairingSheet.title).font(.headline)
            } footer: {
                if let note = sheet.serverNote { Remark(sentence: note, isProblem: false) }
            }
            Section {
                Picker("Permission Level", selection: scope) {
                    ForEach(Scope.allCases, id: \.self) { scope in Text(verbatim: scope.label).tag(scope) }
                }
                LabeledContent {
                    Text(verbatim: sheet.scopeNote.words)
                } label: {
                    Text(verbatim: sheet.scope.explanation)
                }
                .font(.callout)
                .foregroundStyle(.secondary)
                Picker("Expiration", selection: expiry) {
                    ForEach(TokenExpiry.allCases, id: \.self) { expiry in Text(verbatim: expiry.label).tag(expiry) }
                }
            }
            Section("Allowed Connections") {
                Toggle(PairingSheet.allLabel, isOn: all)
                ForEach(sheet.rows) { row in
                    Toggle(isOn: ticked(row)) {
                        Text(verbatim: row.name)
                        Text(verbatim: row.detail)
                    }
                }
            }
        }
        .formStyle(.grouped)
        .disabled(!sheet.deciding.isOpen)
        .frame(minHeight: 320, idealHeight: PairingSheet.formHeight, maxHeight: 560)
    }

    private var scope: Binding<Scope> {
        Binding(get: { sheet.scope }, set: { send(.choseScope($0)) })
    }

    private var expiry: Binding<TokenExpiry> {
        Binding(get: { sheet.expires }, set: { send(.choseExpiry($0)) })
    }

    private var all: Binding<Bool> {
        Binding(get: { sheet.areAllTicked }, set: { send(.tickedAll($0)) })
    }

    private func ticked(_ row: PairingSheet.Row) -> Binding<Bool> {
        Binding(get: { row.isTicked }, set: { send(.ticked(id: row.id, $0)) })
    }
}
