import ShellRules
import SwiftUI

/// Labelled lines outside a form: labels to the left of their column's edge, values beside them, as
/// in an alert of the system.
struct FactGrid: View {
    let facts: [Fact]

    var body: some View {
        Grid(alignment: .leadingFirstTextBaseline, horizontalSpacing: 8, verticalSpacing: 6) {
            ForEach(Array(facts.enumerated()), id: \.offset) { _, fact in
                GridRow {
                    Text(verbatim: localized("\(fact.label):"))
                        .foregroundStyle(.secondary)
                        .gridColumnAlignment(.trailing)
                        // A row is no view: what is said of it is said of each cell, and VoiceOver
                        // read it twice.
                        .accessibilityHidden(true)
                    VStack(alignment: .leading, spacing: 2) {
                        Text(verbatim: fact.value)
                            .foregroundStyle(fact.standing == .fact ? Color.primary : .secondary)
                            .textSelection(.enabled)
                            .fixedSize(horizontal: false, vertical: true)
                        if fact.standing == .claim {
                            Text("not verified")
                                .font(.caption)
                                .foregroundStyle(.secondary)
                        }
                    }
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel(Text(verbatim: fact.spoken))
                }
            }
        }
    }
}
