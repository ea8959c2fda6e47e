import ShellRules
import SwiftUI

/// Labelled lines outside a form: labels right-aligned in their column, values beside them, as in
/// an alert of the system.
struct FactGrid: View {
    let facts: [Fact]

    var body: some View {
        Grid(alignment: .leadingFirstTextBaseline, horizontalSpacing: 8, verticalSpacing: 6) {
            ForEach(Array(facts.enumerated()), id: \.offset) { _, fact in
                GridRow {
                    Text(verbatim: localized("\(fact.label):"))
                        .foregroundStyle(.secondary)
                        .gridColumnAlignment(.trailing)
                        // A row is no view, so its label would apply to each cell, and VoiceOver
                        // would read it twice.
                        .accessibilityHidden(true)
                    FactValue(fact: fact)
                        .accessibilityElement(children: .ignore)
                        .accessibilityLabel(Text(verbatim: fact.spoken))
                }
            }
        }
    }
}

private struct FactValue: View {
    let fact: Fact

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            WrappedText(fact.value).foregroundStyle(fact.standing == .fact ? Color.primary : .secondary)
            if fact.standing == .claim { Text("not verified").font(.caption).foregroundStyle(.secondary) }
        }
    }
}
