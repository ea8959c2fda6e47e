/// Controls of a grouped form: without a frame, at the right.

/// A closed pop-up menu, wide enough for its longest choice.
struct FormPopUp: Element {
    let chosen: String
    let choices: [String]
    var isEnabled = true

    init(_ chosen: String, of choices: [String], isEnabled: Bool = true) {
        self.chosen = chosen
        self.choices = choices
        self.isEnabled = isEnabled
    }

    var idealWidth: Double { ((choices + [chosen]).map(Typeface.body.width).max() ?? 0).rounded(.up) + 24 }
    func height(within width: Double) -> Double { 20 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let tint: Tint = isEnabled ? .text : .tertiary
        canvas.text(chosen, .body, tint, x: frame.maxX - 24, baseline: frame.midY + 4.7, anchor: .end)
        let tile = Frame(x: frame.maxX - 16, y: frame.midY - 8, width: 16, height: 16)
        canvas.box(tile, radius: 4, fill: .track, opacity: 0.8)
        canvas.path("M4.7 6.4 8 3.2 11.3 6.4M4.7 9.6 8 12.8 11.3 9.6", x: tile.x, y: tile.y, stroke: tint, strokeWidth: 1.4)
    }
}

struct FormField: Element {
    let text: String
    let prompt: String
    let idealWidth: Double

    init(_ text: String, prompt: String = "", width: Double = 260) {
        self.text = text
        self.prompt = prompt
        idealWidth = width
    }

    func height(within width: Double) -> Double { 20 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        if Typeface.body.width(prompt) > frame.width { canvas.complain("the prompt “\(prompt)” is too wide") }
        let shown = text.isEmpty ? prompt : Typeface.body.cut(text, to: frame.width)
        canvas.text(shown, .body, text.isEmpty ? .tertiary : .text, x: frame.maxX, baseline: frame.midY + 4.7, anchor: .end)
    }
}

struct Switch: Element {
    let isOn: Bool
    var isEnabled = true
    /// The small size of rows in a form.
    var isSmall = true
    var idealWidth: Double { isSmall ? 26 : 38 }
    private var side: Double { isSmall ? 15 : 22 }
    func height(within width: Double) -> Double { side }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let shape = Frame(x: frame.x, y: frame.midY - side / 2, width: idealWidth, height: side)
        canvas.box(shape, radius: side / 2, fill: isOn ? .accent : .track, opacity: isEnabled ? 1 : 0.45)
        canvas.circle(
            x: isOn ? shape.maxX - side / 2 : shape.x + side / 2, y: shape.midY, radius: side / 2 - 1.5, colour: "#ffffff")
    }
}

/// A line from edge to edge.
struct Rule: Element {
    let idealWidth = 0.0
    let isFlexible = true
    func height(within width: Double) -> Double { 1 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        canvas.box(frame, fill: .hairline)
    }
}

/// A sentence that says what is wrong or missing.
func remark(_ sentence: String, isProblem: Bool = true) -> Row {
    Row(
        spacing: 6, alignment: .top,
        [
            GlyphView(path: isProblem ? Glyph.warning : Glyph.information, size: 15, tint: .secondary),
            Label(sentence, Typeface(size: 12), .secondary, breaking: .words),
        ])
}

/// A label, its explanation below, and its control at the right.
func formRow(_ label: String, _ control: any Element, note: String? = nil) -> Row {
    let words: [any Element] =
        [Label(label, breaking: .words)] + (note.map { [Label($0, .small, .secondary, breaking: .words)] } ?? [])
    return Row(spacing: 12, [Column(spacing: 1, words), Spacer(), control])
}
