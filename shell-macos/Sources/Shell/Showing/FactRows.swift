import ShellRules
import SwiftUI

/// Labelled lines of a form, claims told from facts by words and not by colour alone. Facts take
/// the colour of what is decided on: a form would draw every value as secondary.
struct FactRows: View {
    let facts: [Fact]

    var body: some View {
        ForEach(Array(facts.enumerated()), id: \.offset) { _, fact in
            LabeledContent {
                VStack(alignment: .trailing, spacing: 2) {
                    Text(verbatim: fact.value)
                        .foregroundStyle(fact.standing == .fact ? Color.primary : .secondary)
                        .textSelection(.enabled)
                        .multilineTextAlignment(.trailing)
                    if fact.standing == .claim {
                        Text("not verified")
                            .font(.caption)
                            .foregroundStyle(.secondary)
                    }
                }
            } label: {
                Text(verbatim: fact.label)
            }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: fact.spoken))
        }
    }
}
