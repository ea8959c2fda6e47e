import ShellRules
import SwiftUI

/// The approval sheet of a pairing (spec §10), drawn from `PairingSheet`.
struct PairingWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.pairings.current {
            VStack(spacing: 0) {
                PairingForm(sheet: sheet, send: send)
                Divider()
                DecisionBar(sheet: sheet) { send(PairingSheet.Event($0)) }
            }
            .frame(width: PairingSheet.windowSize.width)
            .id(sheet.id)
        }
    }

    private func send(_ event: PairingSheet.Event) {
        model.send(.pairing(event))
    }
}

/// The facts of the approval sheet and its three controls: permission level, connections,
/// expiration.
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
                ChoicePicker("Permission Level", bound(sheet.scope) { .choseScope($0) }, Scope.allCases, \.label)
                LabeledContent {
                    Text(verbatim: sheet.scopeNote.words)
                } label: {
                    Text(verbatim: sheet.scope.explanation)
                }
                .font(.callout)
                .foregroundStyle(.secondary)
                ChoicePicker("Expiration", bound(sheet.expires) { .choseExpiry($0) }, TokenExpiry.allCases, \.label)
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
