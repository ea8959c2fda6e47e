import ShellRules
import SwiftUI

/// What a statement takes and its text, to be read to the end.
struct StatementBox: View {
    let rows: [StatementRow]
    let endShown: @MainActor () -> Void

    var body: some View {
        ReadingBox(label: localized("Statement"), idealHeight: QuestionSheet.statementHeight(rows), endShown: endShown) {
            ForEach(rows) { StatementRowView(row: $0) }
        }
    }
}

/// Its text alone has the typeface of code, and what is ours a symbol, so that nothing in the text
/// passes for a row of ours.
struct StatementRowView: View {
    let row: StatementRow

    var body: some View {
        switch row.kind {
        case .takes: ours(symbol: "minus")
        case .notCounted: ours(symbol: "exclamationmark.triangle")
        case .line, .continued:
            Text(verbatim: row.text)
                .font(.body.monospaced())
                .textSelection(.enabled)
                .frame(maxWidth: .infinity, alignment: .leading)
        case .blanks: ours(symbol: "ellipsis.circle")
        }
    }

    private func ours(symbol: String) -> some View {
        Label {
            Text(verbatim: row.text)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
        } icon: {
            Image(systemName: symbol)
                .accessibilityHidden(true)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}
