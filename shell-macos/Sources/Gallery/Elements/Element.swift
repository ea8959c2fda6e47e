/// An element takes room and draws itself there. A window is an element of elements, as in the app.
protocol Element {
    /// The size in points with unlimited room.
    var idealWidth: Double { get }
    /// True if it takes the room that others leave.
    var isFlexible: Bool { get }
    func height(within width: Double) -> Double
    func draw(in frame: Frame, on canvas: inout Canvas)
}

extension Element {
    var isFlexible: Bool { false }
}

/// The room that other elements leave.
struct Spacer: Element {
    let idealWidth = 0.0
    let isFlexible = true
    func height(within width: Double) -> Double { 0 }
    func draw(in frame: Frame, on canvas: inout Canvas) {}
}

/// Elements below each other, each as wide as the stack.
struct Column: Element {
    var spacing = 8.0
    var children: [any Element]

    init(spacing: Double = 8, _ children: [any Element]) {
        self.spacing = spacing
        self.children = children
    }

    var idealWidth: Double { children.map(\.idealWidth).max() ?? 0 }
    var isFlexible: Bool { children.contains(where: \.isFlexible) }

    func height(within width: Double) -> Double {
        children.reduce(0) { $0 + $1.height(within: width) } + spacing * Double(max(0, children.count - 1))
    }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        var y = frame.y
        for child in children {
            let height = child.height(within: frame.width)
            child.draw(in: Frame(x: frame.x, y: y, width: frame.width, height: height), on: &canvas)
            y += height + spacing
        }
    }
}

/// Elements beside each other. The flexible ones share the room that is left.
struct Row: Element {
    enum Alignment: Equatable {
        case center, top
    }

    var spacing = 8.0
    var alignment = Alignment.center
    var children: [any Element]

    init(spacing: Double = 8, alignment: Alignment = .center, _ children: [any Element]) {
        self.spacing = spacing
        self.alignment = alignment
        self.children = children
    }

    private var gaps: Double { spacing * Double(max(0, children.count - 1)) }
    var idealWidth: Double { children.reduce(gaps) { $0 + $1.idealWidth } }
    var isFlexible: Bool { children.contains(where: \.isFlexible) }

    func height(within width: Double) -> Double {
        zip(children, widths(within: width)).map { $0.height(within: $1) }.max() ?? 0
    }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        var x = frame.x
        let widths = widths(within: frame.width)
        if widths.reduce(gaps, +) > frame.width + 0.5 {
            canvas.complain("a row of \(Int(widths.reduce(gaps, +))) points has \(Int(frame.width))")
        }
        for (child, width) in zip(children, widths) {
            let height = child.height(within: width)
            let y = alignment == .top ? frame.y : frame.y + (frame.height - height) / 2
            child.draw(in: Frame(x: x, y: y, width: width, height: height), on: &canvas)
            x += width + spacing
        }
    }

    private func widths(within width: Double) -> [Double] {
        let rigid = children.filter { !$0.isFlexible }.reduce(0) { $0 + $1.idealWidth }
        let flexible = children.filter(\.isFlexible)
        let room = max(0, width - gaps - rigid)
        let wanted = flexible.reduce(0) { $0 + $1.idealWidth }
        // An element that wants less than an equal share leaves the rest to the others. Blanks
        // share what is left then.
        return children.map { child in
            guard child.isFlexible else { return child.idealWidth }
            if wanted == 0 { return room / Double(flexible.count) }
            let rest = max(0, room - wanted)
            let blanks = flexible.filter { $0.idealWidth == 0 }.count
            if child.idealWidth == 0 { return rest / Double(blanks) }
            let share = wanted > room ? room * child.idealWidth / wanted : child.idealWidth
            return blanks == 0 ? share + rest / Double(flexible.count) : share
        }
    }
}

struct Padding: Element {
    var horizontal: Double
    var vertical: Double
    let child: any Element

    init(_ horizontal: Double, _ vertical: Double, _ child: any Element) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.child = child
    }

    var idealWidth: Double { child.idealWidth + 2 * horizontal }
    var isFlexible: Bool { child.isFlexible }
    func height(within width: Double) -> Double { child.height(within: width - 2 * horizontal) + 2 * vertical }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let inner = Frame(
            x: frame.x + horizontal, y: frame.y + vertical, width: frame.width - 2 * horizontal,
            height: frame.height - 2 * vertical)
        child.draw(in: inner, on: &canvas)
    }
}

/// An element of fixed width.
struct Fixed: Element {
    let idealWidth: Double
    let child: any Element

    init(_ width: Double, _ child: any Element) {
        idealWidth = width
        self.child = child
    }

    func height(within width: Double) -> Double { child.height(within: idealWidth) }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        child.draw(in: Frame(x: frame.x, y: frame.y, width: idealWidth, height: frame.height), on: &canvas)
    }
}
