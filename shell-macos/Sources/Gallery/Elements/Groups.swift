/// The rows of a grouped form: a rounded box with hairlines between them.
struct Card: Element {
    let rows: [any Element]
    var fill = Tint.card

    init(_ rows: [any Element], fill: Tint = .card) {
        self.rows = rows
        self.fill = fill
    }

    private let inset = 12.0
    private let gap = 8.0
    var idealWidth: Double { (rows.map(\.idealWidth).max() ?? 0) + 2 * inset }
    var isFlexible: Bool { true }

    func height(within width: Double) -> Double {
        rows.reduce(0) { $0 + $1.height(within: width - 2 * inset) + 2 * gap }
    }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        canvas.box(frame, radius: 8, fill: fill, stroke: .cardEdge, strokeWidth: 0.75)
        var y = frame.y
        for (index, row) in rows.enumerated() {
            if index > 0 {
                canvas.box(Frame(x: frame.x + inset, y: y - 0.5, width: frame.width - 2 * inset, height: 1), fill: .hairline)
            }
            let height = row.height(within: frame.width - 2 * inset)
            let inner = Frame(x: frame.x + inset, y: y + gap, width: frame.width - 2 * inset, height: height)
            row.draw(in: inner, on: &canvas)
            y += height + 2 * gap
        }
    }
}

/// A section of a form: its heading, its card and the note below.
func section(_ heading: String?, footer: String? = nil, _ rows: [any Element]) -> Column {
    let head: [any Element] = heading.map { [Padding(12, 0, Label($0, .headline))] } ?? []
    let foot: [any Element] = footer.map { [Padding(12, 0, Label($0, .small, .secondary, breaking: .words))] } ?? []
    return Column(spacing: 6, head + [Card(rows)] + foot)
}

/// A piece of content that is longer than its room, with a scroller that shows the position.
struct Scrolled: Element {
    let content: any Element
    let visibleHeight: Double
    /// 0 at the beginning, 1 at the end.
    var position = 0.0
    var fill = Tint.field
    /// True without a frame: a whole form that scrolls.
    var isBare = false
    let inset: Double
    let vertical: Double

    init(
        _ content: any Element, height: Double, position: Double = 0, fill: Tint = .field, isBare: Bool = false, inset: Double = 8,
        vertical: Double? = nil
    ) {
        self.content = content
        visibleHeight = height
        self.position = position
        self.fill = fill
        self.isBare = isBare
        self.inset = inset
        self.vertical = vertical ?? inset
    }

    var idealWidth: Double { content.idealWidth + 2 * inset }
    var isFlexible: Bool { true }
    func height(within width: Double) -> Double { visibleHeight }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        if !isBare { canvas.box(frame, radius: 5, fill: fill, stroke: .fieldEdge) }
        let width = frame.width - 2 * inset
        let whole = content.height(within: width) + 2 * vertical
        let hidden = max(0, whole - frame.height)
        canvas.clipped(to: isBare ? frame : frame.inset(1), radius: isBare ? 0 : 4) { canvas in
            let top = frame.y + vertical - hidden * position
            content.draw(in: Frame(x: frame.x + inset, y: top, width: width, height: whole - 2 * vertical), on: &canvas)
        }
        guard hidden > 0 else { return }
        let track = frame.height - 8
        let thumb = max(24, track * frame.height / whole)
        let y = frame.y + 4 + (track - thumb) * position
        canvas.box(Frame(x: frame.maxX - 10, y: y, width: 6, height: thumb), radius: 3, fill: .grey, opacity: 0.7)
    }
}
