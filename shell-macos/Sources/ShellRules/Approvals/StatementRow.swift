/// One row of a statement as it is drawn: a line, or a piece of one that is too long to be laid out at once (spec §12). Nothing of the
/// statement is left out, so that its end is shown only after all of it.
public struct StatementRow: Equatable, Identifiable, Sendable {
    public static let mostCharacters = 500

    public let id: Int
    public let text: String
    /// From 1; nil for the later pieces of a line.
    public let lineNumber: Int?

    /// Whether the mark behind all rows is within the box, so that there is nothing left to scroll to.
    /// - Parameters: in points below the box's upper edge.
    public static func isEndInSight(markBottom: Double, boxHeight: Double) -> Bool {
        boxHeight > 0 && markBottom <= boxHeight
    }

    /// - Parameter statement: escaped already.
    public static func rows(of statement: String) -> [StatementRow] {
        var rows: [StatementRow] = []
        for (index, line) in statement.pieces(at: "\n").enumerated() {
            var rest = line
            var number: Int? = index + 1
            repeat {
                rows.append(StatementRow(id: rows.count, text: String(rest.prefix(mostCharacters)), lineNumber: number))
                rest = rest.dropFirst(mostCharacters)
                number = nil
            } while !rest.isEmpty
        }
        return rows
    }
}
