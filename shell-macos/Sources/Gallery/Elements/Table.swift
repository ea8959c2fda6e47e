/// Striped rows under headings. As in the system's tables, a text too wide for its column is cut.
struct Table: Element {
    struct Heading {
        let title: String
        let width: Double
        /// True if wider texts are cut; else each text must fit.
        var mayCut = true
        /// Cut in the middle, as paths are.
        var cutsMiddle = false
    }

    struct Cell {
        let text: String
        var tint = Tint.text
        /// In SVG's words.
        var dot: String?
        var symbol: (path: String, tint: Tint)?

        init(_ text: String, _ tint: Tint = .text, dot: String? = nil, symbol: (path: String, tint: Tint)? = nil) {
            self.text = text
            self.tint = tint
            self.dot = dot
            self.symbol = symbol
        }
    }

    let headings: [Heading]
    let rows: [[Cell]]
    let visibleHeight: Double
    var selected: Int?
    /// True without a frame: the table fills its window.
    var isBare = false
    private let rowHeight = 24.0
    private let inset = 8.0

    init(_ headings: [Heading], rows: [[Cell]], height: Double, selected: Int? = nil, isBare: Bool = false) {
        self.headings = headings
        self.rows = rows
        self.selected = selected
        self.isBare = isBare
        visibleHeight = height
    }

    var idealWidth: Double { headings.reduce(0) { $0 + $1.width } }
    func height(within width: Double) -> Double { visibleHeight }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        canvas.box(frame, radius: isBare ? 0 : 6, fill: .field, stroke: isBare ? nil : .fieldEdge)
        canvas.clipped(to: isBare ? frame : frame.inset(1), radius: isBare ? 0 : 5) { canvas in drawRows(in: frame, on: &canvas) }
    }

    private func drawRows(in frame: Frame, on canvas: inout Canvas) {
        var y = frame.y + rowHeight
        var index = 0
        while y < frame.maxY {
            let line = Frame(x: frame.x, y: y, width: frame.width, height: rowHeight)
            if index == selected {
                canvas.box(line.inset(2), radius: 5, fill: .selection)
            } else if index % 2 == 1 {
                canvas.box(line, fill: .stripe)
            }
            if index < rows.count { drawCells(rows[index], isSelected: index == selected, in: line, on: &canvas) }
            y += rowHeight
            index += 1
        }
        drawHeadings(in: frame, on: &canvas)
    }

    private func drawCells(_ cells: [Cell], isSelected: Bool, in line: Frame, on canvas: inout Canvas) {
        var x = line.x
        for (column, (cell, heading)) in zip(cells, headings).enumerated() {
            var start = x + inset
            if let dot = cell.dot { canvas.circle(x: start + 5, y: line.midY, radius: 4.5, colour: dot) }
            if rows.contains(where: { $0[column].dot != nil }) { start += 16 }
            if let symbol = cell.symbol {
                let tint = isSelected ? Tint.onAccent : symbol.tint
                canvas.path(symbol.path, x: start, y: line.midY - 7, stroke: tint, strokeWidth: 2, scale: 0.7)
                start += 18
            }
            let room = x + heading.width - 4 - start
            let cut = heading.cutsMiddle ? Typeface.body.cut : Typeface.body.headCut
            let text = heading.mayCut ? cut(cell.text, room) : cell.text
            if Typeface.body.width(text) > room { canvas.complain("the cell “\(text)” is too wide for “\(heading.title)”") }
            canvas.text(text, .body, isSelected ? .onAccent : cell.tint, x: start, baseline: line.midY + 4.7)
            x += heading.width
        }
    }

    private func drawHeadings(in frame: Frame, on canvas: inout Canvas) {
        canvas.box(Frame(x: frame.x, y: frame.y, width: frame.width, height: rowHeight), fill: .card)
        canvas.box(Frame(x: frame.x, y: frame.y + rowHeight - 1, width: frame.width, height: 1), fill: .hairline)
        var x = frame.x
        for (index, heading) in headings.enumerated() {
            if Typeface.smallHeadline.width(heading.title) > heading.width - inset - 4 {
                canvas.complain("the heading “\(heading.title)” is too wide")
            }
            if index > 0 { canvas.box(Frame(x: x, y: frame.y + 5, width: 1, height: rowHeight - 10), fill: .hairline) }
            canvas.text(heading.title, .smallHeadline, .secondary, x: x + inset, baseline: frame.y + 16)
            x += heading.width
        }
    }
}
