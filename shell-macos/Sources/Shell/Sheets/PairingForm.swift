import ShellRules
import SwiftUI

/// The three controls of a pairing's card (spec §10): permission level, expiration, connections.
struct PairingForm: View {
    let pairing: PairingChoices
    let send: @MainActor (PairingChoices.Choice) -> Void

    var body: some View {
        Form {
            Section {
                ChoicePicker("Permission Level", bound(pairing.scope) { .scope($0) }, Scope.allCases, \.label)
                LabeledContent {
                    Text(verbatim: pairing.scopeNote)
                } label: {
                    Text(verbatim: pairing.scope.explanation)
                }
                .font(.callout)
                .foregroundStyle(.secondary)
                ChoicePicker("Expiration", bound(pairing.expires) { .expiry($0) }, TokenExpiry.allCases, \.label)
            } footer: {
                if let note = pairing.serverNote { Remark(sentence: note, isProblem: false) }
            }
            Section("Allowed Connections") {
                Toggle("All connections", isOn: bound(pairing.areAllTicked) { .all($0) })
                ForEach(pairing.rows) { row in
                    Toggle(isOn: bound(row.isTicked) { .one(id: row.id, $0) }) {
                        Text(verbatim: row.name)
                        Text(verbatim: row.detail)
                    }
                }
            }
        }
        .formStyle(.grouped)
        .frame(minHeight: 160)
    }

    private func bound<Value>(_ value: Value, _ choice: @escaping @MainActor (Value) -> PairingChoices.Choice) -> Binding<Value> {
        Binding(get: { value }, set: { send(choice($0)) })
    }
}
