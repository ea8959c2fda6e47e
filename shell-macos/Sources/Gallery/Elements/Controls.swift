/// The controls of a Mac in the system's sizes.
struct Button: Element {
    enum Kind: Equatable {
        case plain
        /// The button that Return presses.
        case standard
        case small
    }

    let label: String
    var kind = Kind.plain
    var isEnabled = true

    init(_ label: String, _ kind: Kind = .plain, isEnabled: Bool = true) {
        self.label = label
        self.kind = kind
        self.isEnabled = isEnabled
    }

    private var typeface: Typeface { kind == .small ? .small : .body }
    private var inset: Double { kind == .small ? 8 : 14 }
    var idealWidth: Double {
        let least = kind == .small ? 40.0 : 68.0
        return max(least, (typeface.width(label) + 2 * inset).rounded(.up))
    }
    func height(within width: Double) -> Double { kind == .small ? 18 : 24 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let isStandard = kind == .standard && isEnabled
        let fill: Tint = isStandard ? .accent : isEnabled ? .button : .dimmedButton
        canvas.box(frame, radius: kind == .small ? 4 : 6, fill: fill, stroke: isStandard ? .accent : .buttonEdge, strokeWidth: 0.75)
        let tint: Tint = !isEnabled ? .tertiary : isStandard ? .onAccent : .text
        if typeface.width(label) > frame.width - inset { canvas.complain("the button “\(label)” is too narrow") }
        canvas.text(label, typeface, tint, x: frame.midX, baseline: frame.midY + typeface.size * 0.36, anchor: .middle)
    }
}

/// A closed pop-up menu, wide enough for its longest choice.
struct PopUp: Element {
    let chosen: String
    let choices: [String]
    var isEnabled = true

    init(_ chosen: String, of choices: [String], isEnabled: Bool = true) {
        self.chosen = chosen
        self.choices = choices
        self.isEnabled = isEnabled
    }

    var idealWidth: Double { ((choices + [chosen]).map(Typeface.body.width).max() ?? 0).rounded(.up) + 38 }
    func height(within width: Double) -> Double { 24 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        canvas.box(frame, radius: 6, fill: isEnabled ? .button : .dimmedButton, stroke: .buttonEdge, strokeWidth: 0.75)
        canvas.text(chosen, .body, isEnabled ? .text : .tertiary, x: frame.x + 10, baseline: frame.midY + 4.7)
        let tile = Frame(x: frame.maxX - 20, y: frame.midY - 8, width: 16, height: 16)
        if isEnabled { canvas.box(tile, radius: 4, fill: .accent) }
        canvas.path(
            "M4.7 6.4 8 3.2 11.3 6.4M4.7 9.6 8 12.8 11.3 9.6", x: tile.x, y: tile.y, stroke: isEnabled ? .onAccent : .tertiary,
            strokeWidth: 1.4)
    }
}

struct Checkbox: Element {
    let label: String
    let isOn: Bool
    var isEnabled = true
    /// A text that others wrote may be cut.
    var isOurs = true

    init(_ label: String, isOn: Bool, isEnabled: Bool = true, isOurs: Bool = true) {
        self.label = label
        self.isOn = isOn
        self.isEnabled = isEnabled
        self.isOurs = isOurs
    }

    private var words: Label { Label(label, .body, isEnabled ? .text : .tertiary, breaking: isOurs ? .words : .cut) }
    var idealWidth: Double { 20 + words.idealWidth }
    var isFlexible: Bool { true }
    func height(within width: Double) -> Double { max(16, words.height(within: width - 20)) }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let tick = Frame(x: frame.x, y: frame.y + 1, width: 14, height: 14)
        let isFull = isOn && isEnabled
        canvas.box(
            tick, radius: 3.5, fill: isFull ? .accent : isEnabled ? .field : .dimmedButton, stroke: isFull ? .accent : .fieldEdge)
        if isOn {
            canvas.path("M3.4 7.3 6 10 10.6 4.2", x: tick.x, y: tick.y, stroke: isEnabled ? .onAccent : .tertiary, strokeWidth: 1.8)
        }
        words.draw(in: Frame(x: frame.x + 20, y: frame.y, width: frame.width - 20, height: frame.height), on: &canvas)
    }
}

struct Field: Element {
    let text: String
    let placeholder: String
    let idealWidth: Double
    var hasFocus = false

    init(_ text: String, placeholder: String = "", width: Double, hasFocus: Bool = false) {
        self.text = text
        self.placeholder = placeholder
        self.hasFocus = hasFocus
        idealWidth = width
    }

    func height(within width: Double) -> Double { 24 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        if hasFocus { canvas.box(frame.inset(-2.5), radius: 7.5, fill: .accent, opacity: 0.45) }
        canvas.box(frame, radius: 5, fill: .field, stroke: .fieldEdge)
        let typeface = Typeface.body
        let shown = text.isEmpty ? placeholder : typeface.cut(text, to: frame.width - 14)
        if typeface.width(shown) > frame.width - 14 { canvas.complain("the placeholder “\(shown)” is too wide") }
        canvas.text(shown, typeface, text.isEmpty ? .tertiary : .text, x: frame.x + 8, baseline: frame.midY + 4.7)
        if hasFocus, text.isEmpty { canvas.box(Frame(x: frame.x + 6, y: frame.y + 4, width: 1, height: 16), fill: .text) }
    }
}

/// Choices of equal width side by side, one of them pressed. If none is pressed, they are buttons.
struct Segments: Element {
    let labels: [String]
    let chosen: Int?

    var idealWidth: Double { ((labels.map(Typeface.body.width).max() ?? 0) + 24).rounded(.up) * Double(labels.count) }
    func height(within width: Double) -> Double { 24 }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let segment = frame.width / Double(labels.count)
        if chosen == nil {
            canvas.box(frame, radius: 6, fill: .button, stroke: .buttonEdge, strokeWidth: 0.75)
        } else {
            canvas.box(frame, radius: 6, fill: .track, opacity: 0.6)
        }
        for (index, label) in labels.enumerated() {
            let part = Frame(x: frame.x + Double(index) * segment, y: frame.y, width: segment, height: frame.height)
            if Typeface.body.width(label) > segment - 12 { canvas.complain("the segment “\(label)” is too narrow") }
            if index == chosen { canvas.box(part.inset(1.5), radius: 5, fill: .button, stroke: .buttonEdge, strokeWidth: 0.5) }
            if chosen == nil, index > 0 { canvas.box(Frame(x: part.x, y: part.y + 5, width: 1, height: 14), fill: .hairline) }
            canvas.text(label, .body, .text, x: part.midX, baseline: part.midY + 4.7, anchor: .middle)
        }
    }
}
