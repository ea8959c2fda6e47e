import SwiftUI

/// A picker of one of several values. Each value has its label.
struct ChoicePicker<Value: Hashable>: View {
    let title: LocalizedStringKey
    @Binding var selection: Value
    let first: (label: LocalizedStringKey, value: Value)?
    let choices: [Value]
    let label: (Value) -> String

    init(_ title: LocalizedStringKey, _ selection: Binding<Value>, _ choices: [Value], _ label: @escaping (Value) -> String) {
        (self.title, _selection, first, self.choices, self.label) = (title, selection, nil, choices, label)
    }

    /// - Parameter none: the label of the choice that is no value; nil offers no such choice.
    init<Wrapped: Hashable>(
        _ title: LocalizedStringKey, _ selection: Binding<Wrapped?>, none: LocalizedStringKey?, _ choices: [Wrapped],
        _ label: @escaping (Wrapped) -> String
    ) where Value == Wrapped? {
        (self.title, _selection, self.choices) = (title, selection, choices)
        first = none.map { ($0, nil) }
        self.label = { $0.map(label) ?? "" }
    }

    var body: some View {
        Picker(title, selection: $selection) {
            if let first {
                Text(first.label).tag(first.value)
                Divider()
            }
            ForEach(choices, id: \.self) { choice in Text(verbatim: label(choice)).tag(choice) }
        }
    }
}
