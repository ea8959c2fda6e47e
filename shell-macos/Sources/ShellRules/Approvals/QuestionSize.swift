/// How large a question's window opens, in points: as its content wants, so that neither the
/// statement nor the buttons are cut off. Nothing is drawn here: texts are counted at a width that
/// no sentence of the system's font exceeds.
extension QuestionSheet {
    public static let windowWidth = 560.0
    /// A small screen's, without its menu bar and the window's title.
    static let mostHeight = 680.0

    private static let margin = 20.0
    private static let lineHeight = 17.0

    public var windowHeight: Double {
        let labels = facts.map { TextRoom.width($0.label + ":") }.max() ?? 0
        let inner = QuestionSheet.windowWidth - 2 * QuestionSheet.margin
        let grid = facts.map { fact in
            // A claim has a small line below it.
            QuestionSheet.lineHeight * Double(TextRoom.lines(fact.value, within: inner - labels - 8))
                + (fact.standing == .claim ? 18 : 0) + 6
        }
        // At 15 points, beside the dot of the connection's colour.
        let title = 20 * Double(TextRoom.lines(title, within: (inner - 18) * 13 / 15, isBold: true))
        let head = 2 * QuestionSheet.margin + title + 12 + grid.reduce(0, +)
        let bar = 16 + QuestionSheet.lineHeight * 2 + 12 + 28 + 16
        return min(
            head + (statementRows.isEmpty ? 0 : QuestionSheet.statementHeight(statementRows) + 12) + 1 + bar,
            QuestionSheet.mostHeight)
    }

    /// Of the box that the statement stands in: all of a short one, then it scrolls. What it takes
    /// has room of its own.
    public static func statementHeight(_ rows: [StatementRow]) -> Double {
        func height(_ rows: some Sequence<StatementRow>) -> Double {
            rows.reduce(0) { $0 + 19 * Double(TextRoom.lines($1.text, within: $1.isText ? 504 : 480, isCode: $1.isText)) }
        }
        let takes = height(rows.prefix { $0.kind == .takes || $0.kind == .notCounted }.prefix(10))
        let text = height(rows.drop { $0.kind == .takes || $0.kind == .notCounted }.prefix(20))
        return min(takes, 95) + min(max(96, text + 16), 180)
    }
}

/// How much room a text takes at 13 points, counted generously.
enum TextRoom {
    static func width(_ text: String, isBold: Bool = false, isCode: Bool = false) -> Double {
        text.unicodeScalars.reduce(0) { sum, scalar in
            // Ideographs and what is not Latin are as wide as they are high.
            sum + (scalar.value >= 0x1100 ? 13.5 : isCode ? 7.9 : isBold ? 7.8 : 7.4)
        }
    }

    static func lines(_ text: String, within width: Double, isBold: Bool = false, isCode: Bool = false) -> Int {
        text.pieces(at: "\n").reduce(0) { sum, line in
            sum + max(1, Int((TextRoom.width(String(line), isBold: isBold, isCode: isCode) / max(width, 1)).rounded(.up)))
        }
    }
}
