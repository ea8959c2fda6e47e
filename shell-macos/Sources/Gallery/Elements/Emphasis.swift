/// A heading that breaks between words. Each second part is bold, as in the question's window.
struct Emphasis: Element {
    let parts: [String]

    private let regular = Typeface(size: 15)
    private let bold = Typeface(size: 15, weight: .semibold)

    private var words: [(text: String, typeface: Typeface)] {
        parts.enumerated().flatMap { index, part in
            part.split(separator: " ").map { (String($0), index.isMultiple(of: 2) ? regular : bold) }
        }
    }

    var idealWidth: Double { words.reduce(0) { $0 + $1.typeface.width($1.text + " ") }.rounded(.up) }
    var isFlexible: Bool { true }

    func height(within width: Double) -> Double {
        Double(lines(within: width).count) * regular.lineHeight
    }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        for (index, line) in lines(within: frame.width).enumerated() {
            let top = frame.y + Double(index) * regular.lineHeight
            canvas.text(line, .text, x: frame.x, baseline: top + regular.baseline)
        }
    }

    /// With the spare room that the window's height includes.
    private func lines(within room: Double) -> [[(text: String, typeface: Typeface)]] {
        let width = room * 0.85
        var (lines, x) = ([[(text: String, typeface: Typeface)]](), Double.infinity)
        for word in words {
            // A word that is wider than the room, such as a long name, is broken.
            for piece in word.typeface.brokenLines(of: word.text, within: width) {
                let own = word.typeface.width(piece)
                if x + own > width { (lines, x) = (lines + [[]], 0) }
                lines[lines.count - 1].append((piece, word.typeface))
                x += own + word.typeface.width(" ")
            }
        }
        return lines
    }
}

/// The colour of a connection.
struct Dot: Element {
    let tint: Tint
    let idealWidth = 10.0
    func height(within width: Double) -> Double { 15 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        canvas.circle(x: frame.x + 5, y: frame.y + 10, radius: 4.5, fill: tint)
    }
}
