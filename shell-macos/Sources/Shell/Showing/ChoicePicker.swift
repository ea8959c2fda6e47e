import SwiftUI

/// A picker of one of several values. Each value has its label.
struct ChoicePicker<Value: Hashable>: View {
    let title: LocalizedStringKey
    @Binding var selection: Value
    let choices: [Value]
    let label: (Value) -> String

    init(_ title: LocalizedStringKey, _ selection: Binding<Value>, _ choices: [Value], _ label: @escaping (Value) -> String) {
        (self.title, _selection, self.choices, self.label) = (title, selection, choices, label)
    }

    var body: some View {
        Picker(title, selection: $selection) {
            ForEach(choices, id: \.self) { choice in Text(verbatim: label(choice)).tag(choice) }
        }
    }
}
