import ShellRules
import SwiftUI

/// The statement in a box that scrolls, and the word that its end came into sight. The mark stands behind all rows, so that it can be
/// seen only after them.
struct StatementBox: View {
    private let rows: [StatementRow]
    private let endShown: @MainActor () -> Void

    /// - Parameter statement: escaped.
    init(statement: String, endShown: @escaping @MainActor () -> Void) {
        rows = StatementRow.rows(of: statement)
        self.endShown = endShown
    }

    private static let space = "statement"

    var body: some View {
        GeometryReader { box in
            ScrollView(.vertical) {
                LazyVStack(alignment: .leading, spacing: 2) {
                    ForEach(rows) { row in
                        Text(verbatim: row.text)
                            .font(.body.monospaced())
                            .textSelection(.enabled)
                            .frame(maxWidth: .infinity, alignment: .leading)
                    }
                    EndMark(boxHeight: box.size.height, space: StatementBox.space, shown: endShown)
                }
                .padding(8)
            }
            .coordinateSpace(name: StatementBox.space)
        }
        .frame(minHeight: 96, idealHeight: 180)
        .background(Color(nsColor: .textBackgroundColor))
        .overlay { RoundedRectangle(cornerRadius: 5).strokeBorder(Color(nsColor: .separatorColor)) }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text("Statement"))
    }
}

/// Stands behind what has to be read, and says when it came into sight.
struct EndMark: View {
    let boxHeight: CGFloat
    let space: String
    let shown: @MainActor () -> Void

    var body: some View {
        GeometryReader { mark in
            let isInSight = StatementRow.isEndInSight(markBottom: mark.frame(in: .named(space)).maxY, boxHeight: boxHeight)
            Color.clear
                .onAppear { if isInSight { shown() } }
                .onChange(of: isInSight) { isInSight in
                    if isInSight { shown() }
                }
        }
        .frame(height: 1)
        .accessibilityHidden(true)
    }
}
