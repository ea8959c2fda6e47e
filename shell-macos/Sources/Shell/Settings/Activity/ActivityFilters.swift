import ShellRules
import SwiftUI

/// Which rows the Activity table shows.
struct ActivityFilters: View {
    @Binding var filter: ActivityTable.Filter
    /// Which these filters know nothing of.
    let showsStatements: Bool
    @State private var span = ActivityTable.Span.always

    var body: some View {
        HStack {
            if !showsStatements { ofTheLog }
            Picker("Since", selection: $span) {
                ForEach(ActivityTable.Span.allCases) { span in Text(verbatim: span.label).tag(span) }
            }
            if !showsStatements { TextField("Token", text: $filter.token, prompt: Text("Token")).frame(maxWidth: 110) }
            TextField("Search", text: $filter.search, prompt: Text("Search"))
        }
        .labelsHidden()
        .textFieldStyle(.roundedBorder)
        .padding(10)
        .onChange(of: span) { span in filter.since = span.since(Date()) }
    }

    private var ofTheLog: some View {
        Group {
            Picker("Category", selection: $filter.category) {
                Text("All Categories").tag(ActivityCategory?.none)
                Divider()
                ForEach(ActivityCategory.allCases, id: \.self) { category in
                    Text(verbatim: category.label).tag(ActivityCategory?.some(category))
                }
            }
            Picker("Outcome", selection: $filter.outcome) {
                Text("All Outcomes").tag(ActivityOutcome?.none)
                Divider()
                ForEach(ActivityOutcome.allCases, id: \.self) { outcome in
                    Text(verbatim: outcome.label).tag(ActivityOutcome?.some(outcome))
                }
            }
        }
    }
}
