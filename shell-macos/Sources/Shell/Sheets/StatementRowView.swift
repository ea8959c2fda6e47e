import ShellRules
import SwiftUI

/// One row of a statement. Only the statement's text is monospaced, and our own rows have a symbol,
/// so no text can imitate a row of ours.
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
            WrappedText(row.text)
        } icon: {
            Image(systemName: symbol)
                .accessibilityHidden(true)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}
