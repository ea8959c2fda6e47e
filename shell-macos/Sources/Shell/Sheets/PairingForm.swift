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
                Picker("Permission Level", selection: bound(sheet.scope) { .choseScope($0) }) {
                    ForEach(Scope.allCases, id: \.self) { scope in Text(verbatim: scope.label).tag(scope) }
                }
                LabeledContent {
                    Text(verbatim: sheet.scopeNote.words)
                } label: {
                    Text(verbatim: sheet.scope.explanation)
                }
                .font(.callout)
                .foregroundStyle(.secondary)
                Picker("Expiration", selection: bound(sheet.expires) { .choseExpiry($0) }) {
                    ForEach(TokenExpiry.allCases, id: \.self) { expiry in Text(verbatim: expiry.label).tag(expiry) }
                }
            }
            Section("Allowed Connections") {
                Toggle(PairingSheet.allLabel, isOn: bound(sheet.areAllTicked) { .tickedAll($0) })
                ForEach(sheet.rows) { row in
                    Toggle(isOn: bound(row.isTicked) { .ticked(id: row.id, $0) }) {
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

    private func bound<Value>(_ value: Value, _ event: @escaping @MainActor (Value) -> PairingSheet.Event) -> Binding<Value> {
        Binding(get: { value }, set: { send(event($0)) })
    }
}
