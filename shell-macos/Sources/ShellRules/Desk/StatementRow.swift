/// One drawn row of a statement (spec §12): first what it takes, then its text line by line. Only
/// long runs of blanks are left out, and counted, as they would push the rest out of sight.
public struct StatementRow: Equatable, Identifiable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// Sallyport's words: a table or an object, and what happens to it.
        case takes
        /// Sallyport's words: what could not be counted, and why.
        case notCounted
        case line
        /// The rest of a line that is too long to lay out at once, or that has a run of blanks.
        case continued
        /// Sallyport's words in place of blanks.
        case blanks
    }

    public static let mostCharacters = 500
    /// Wider than any indent.
    private static let longestRun = 40
    private static let tabColumns = 8

    public let id: Int
    public let kind: Kind
    public let text: String

    /// The row belongs to the statement's own text.
    public var isText: Bool { kind == .line || kind == .continued }

    /// Whether the mark behind all rows is inside the box, so that nothing is left to scroll to.
    /// - Parameters: in points below the box's upper edge.
    public static func isEndInSight(markBottom: Double, boxHeight: Double) -> Bool {
        boxHeight > 0 && markBottom <= boxHeight
    }

    static func rows(of statement: AskedStatement) -> [StatementRow] {
        let takes = statement.takes.map { ($0.lines + ($0.steps ?? [])).map { Piece(.takes, ShownText.oneLine($0)) } } ?? []
        let note = statement.takes?.note.map { [Piece(.notCounted, ShownText.oneLine($0))] } ?? []
        return numbered(takes + note + pieces(of: ShownText.lines(statement.text)))
    }

    /// - Parameter text: escaped already.
    static func rows(of text: String) -> [StatementRow] { numbered(pieces(of: text)) }

    private struct Piece {
        let kind: Kind
        let text: String

        init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

        var isBlank: Bool { (kind == .line || kind == .continued) && text.unicodeScalars.allSatisfy(StatementRow.isBlank) }

        /// Pieces that can each be laid out at once.
        var broken: [Piece] {
            var pieces: [Piece] = []
            var rest = text[...]
            repeat {
                pieces.append(Piece(pieces.isEmpty ? kind : .continued, String(rest.prefix(mostCharacters))))
                rest = rest.dropFirst(mostCharacters)
            } while !rest.isEmpty
            return pieces
        }
    }

    private static func numbered(_ pieces: [Piece]) -> [StatementRow] {
        pieces.enumerated().map { StatementRow(id: $0, kind: $1.kind, text: $1.text) }
    }

    private static func pieces(of text: String) -> [Piece] {
        blankRowsCounted(text.pieces(at: "\n").flatMap(longBlanksCounted)).flatMap { $0.kind == .blanks ? [$0] : $0.broken }
    }

    /// Replaces two or more blank rows by one that counts them.
    private static func blankRowsCounted(_ pieces: [Piece]) -> [Piece] {
        var shown: [Piece] = []
        var blanks: [Piece] = []
        func endBlanks() {
            let count = blanks.count
            shown +=
                count > 1
                ? [Piece(.blanks, counted(count, one: "… \(number: count) blank line", other: "… \(number: count) blank lines"))]
                : blanks
            blanks = []
        }
        for piece in pieces {
            if piece.isBlank {
                blanks.append(piece)
            } else {
                endBlanks()
                shown.append(piece)
            }
        }
        endBlanks()
        return shown
    }

    /// Replaces a long run of blanks within a line by one piece that counts it. A line of blanks
    /// alone is one blank line at any width.
    private static func longBlanksCounted(_ line: Substring) -> [Piece] {
        let scalars = line.unicodeScalars
        guard !scalars.allSatisfy(isBlank) else { return [Piece(.line, "")] }
        var pieces: [Piece] = []
        var (from, at) = (scalars.startIndex, scalars.startIndex)
        func rest(to end: String.Index) -> Piece { Piece(pieces.isEmpty ? .line : .continued, String(scalars[from..<end])) }
        while let begin = scalars[at...].firstIndex(where: isBlank) {
            let run = scalars[begin...].prefix(while: isBlank)
            at = run.endIndex
            guard run.reduce(0, { $0 + ($1 == "\t" ? tabColumns : 1) }) >= longestRun else { continue }
            let count = run.count
            pieces += [
                rest(to: begin),
                Piece(.blanks, counted(count, one: "… \(number: count) blank", other: "… \(number: count) blanks")),
            ]
            from = at
        }
        return pieces + [rest(to: scalars.endIndex)]
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
}
