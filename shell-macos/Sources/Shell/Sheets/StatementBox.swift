import ShellRules
import SwiftUI

/// The statement, to be read to its end.
struct StatementBox: View {
    private let rows: [StatementRow]
    private let height: CGFloat
    private let endShown: @MainActor () -> Void

    /// - Parameter statement: escaped.
    init(statement: String, endShown: @escaping @MainActor () -> Void) {
        height = QuestionSheet.statementHeight(statement)
        rows = StatementRow.rows(of: statement)
        self.endShown = endShown
    }

    var body: some View {
        ReadingBox(label: localized("Statement"), idealHeight: height, endShown: endShown) {
            ForEach(rows) { row in
                Text(verbatim: row.text)
                    .font(.body.monospaced())
                    .textSelection(.enabled)
                    .frame(maxWidth: .infinity, alignment: .leading)
            }
        }
    }
}
