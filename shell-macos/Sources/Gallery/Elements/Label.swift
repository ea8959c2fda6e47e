/// A text. Our texts must fit. Texts that others wrote may be cut in the middle if no decision
/// depends on them.
struct Label: Element {
    enum Breaking: Equatable {
        /// One whole line.
        case never
        /// Between words.
        case words
        /// Between words if possible, else anywhere: for addresses, statements and texts of others
        /// that must be read whole.
        case anywhere
        /// One line with its middle cut out.
        case cut
    }

    let text: String
    var typeface = Typeface.body
    var tint = Tint.text
    var breaking = Breaking.never
    var anchor = Canvas.Anchor.start

    init(
        _ text: String, _ typeface: Typeface = .body, _ tint: Tint = .text, breaking: Breaking = .never,
        anchor: Canvas.Anchor = .start
    ) {
        self.text = text
        self.typeface = typeface
        self.tint = tint
        self.breaking = breaking
        self.anchor = anchor
    }

    var idealWidth: Double { text.isEmpty ? 0 : typeface.width(text).rounded(.up) }
    var isFlexible: Bool { breaking != .never }

    func height(within width: Double) -> Double {
        Double(lines(within: width).count) * typeface.lineHeight
    }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let x = anchor == .start ? frame.x : anchor == .end ? frame.maxX : frame.midX
        for (index, line) in lines(within: frame.width).enumerated() {
            // A blank at the end of a line takes no room.
            if typeface.width(line) > frame.width + 1, breaking != .anywhere {
                canvas.complain("“\(line)” is \(Int(typeface.width(line).rounded(.up))) points wide and has \(Int(frame.width))")
            }
            let top = frame.y + Double(index) * typeface.lineHeight
            canvas.text(line, typeface, tint, x: x, baseline: top + typeface.baseline, anchor: anchor)
        }
    }

    private func lines(within width: Double) -> [String] {
        switch breaking {
        case .never: [text]
        // Half a point of tolerance, because the sum of the widths is not exact.
        case .words: typeface.lines(of: text, within: width + 0.5)
        case .anywhere: typeface.brokenLines(of: text, within: width + 0.5)
        case .cut: [typeface.cut(text, to: width + 0.5)]
        }
    }
}
