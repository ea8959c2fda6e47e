/// The size of a question's window, in points, so that neither the statement nor the buttons are
/// cut off. It draws nothing: it counts texts at a width that no sentence of the system's font
/// exceeds.
extension QuestionSheet {
    public static var windowWidth: Double { 560 }
    /// The height of a small screen without its menu bar and the window's title.
    static var mostHeight: Double { 680 }

    public var windowHeight: Double {
        // The title has 15 points, beside the dot in the connection's colour.
        let title = 20 * Double(TextRoom.lines(title, within: (QuestionSheet.windowWidth - 58) * 13 / 15, isBold: true))
        let statement = statementRows.isEmpty ? 0 : QuestionSheet.statementHeight(statementRows) + 12
        return WindowSize.of(QuestionSheet.windowWidth, [], facts: facts, foot: title + 12 + statement + 107).height
    }

    /// The height of the statement's box. It shows all of a short statement, and scrolls a long
    /// one. The lines above the text have room of their own.
    public static func statementHeight(_ rows: [StatementRow]) -> Double {
        func height(_ rows: some Sequence<StatementRow>) -> Double {
            rows.reduce(0) { $0 + 19 * Double(TextRoom.lines($1.text, within: $1.isText ? 504 : 480, isCode: $1.isText)) }
        }
        let takes = height(rows.prefix { $0.kind == .takes || $0.kind == .notCounted }.prefix(10))
        let text = height(rows.drop { $0.kind == .takes || $0.kind == .notCounted }.prefix(20))
        return min(takes, 95) + min(max(96, text + 16), 180)
    }
}

/// The room of a text at 13 points, counted generously.
enum TextRoom {
    static func width(_ text: String, isBold: Bool = false, isCode: Bool = false) -> Double {
        text.unicodeScalars.reduce(0) { sum, scalar in
            // Ideographs and other non-Latin signs are as wide as they are high.
            sum + (scalar.value >= 0x1100 ? 13.5 : isCode ? 7.9 : isBold ? 7.8 : 7.4)
        }
    }

    static func lines(_ text: String, within width: Double, isBold: Bool = false, isCode: Bool = false) -> Int {
        text.pieces(at: "\n").reduce(0) { sum, line in
            sum + max(1, Int((TextRoom.width(String(line), isBold: isBold, isCode: isCode) / max(width, 1)).rounded(.up)))
        }
    }
}
