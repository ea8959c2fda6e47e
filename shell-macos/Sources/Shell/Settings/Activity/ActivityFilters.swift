import ShellRules
import SwiftUI

/// Chooses the rows of the Activity table.
struct ActivityFilters: View {
    @Binding var filter: ActivityTable.Filter
    /// Statements have neither category, outcome nor token.
    let showsStatements: Bool
    @State private var span = ActivityTable.Span.always

    var body: some View {
        HStack {
            if !showsStatements {
                ChoicePicker("Category", $filter.category, none: "All Categories", ActivityCategory.allCases, \.label)
                ChoicePicker("Outcome", $filter.outcome, none: "All Outcomes", ActivityOutcome.allCases, \.label)
            }
            ChoicePicker("Since", $span, ActivityTable.Span.allCases, \.label)
            if !showsStatements { TextField("Token", text: $filter.token, prompt: Text("Token")).frame(maxWidth: 110) }
            TextField("Search", text: $filter.search, prompt: Text("Search"))
        }
        .labelsHidden()
        .textFieldStyle(.roundedBorder)
        .padding(10)
        .onChange(of: span) { span in filter.since = span.since(Date()) }
    }
}
