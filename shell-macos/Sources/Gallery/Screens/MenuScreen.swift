import ShellRules

/// The item in the menu bar and its menu, with all states side by side.
struct MenuScreen {

    var pictures: [Picture] {
        var asking = ShellState(pictured: .connected, Samples.status("ready"))
        for number in 1...2 {
            var view = Samples.question("DELETE FROM carts", reason: [], tables: [])
            view.id = "question\(number)"
            _ = asking.handle(.notification(.approvalAsked(view)), at: Samples.now)
        }
        _ = asking.handle(.notification(.requestsChanged(waiting: 2)), at: Samples.now)
        var beginning = Samples.status("ready")
        beginning.connections = 0
        let states = [
            ShellState(pictured: .connected, Samples.status("ready")), asking,
            ShellState(pictured: .connected, Samples.status("ready", notes: [Samples.takenPort], port: 45_021)),
            ShellState(pictured: .connected, beginning),
            ShellState(pictured: .connected, Samples.status("paused")), ShellState(pictured: .gaveUp, nil),
            ShellState(pictured: .untrusted(""), nil), ShellState(pictured: .denied, nil),
        ]
        let menus = states.map { MenuView(content: $0.menu) }
        let pairs = stride(from: 0, to: menus.count, by: 2).map { at in
            Row(spacing: 24, alignment: .top, menus[at..<at + 2].map { Fixed(MenuView.mostWidth, $0) })
        }
        return [
            Picture(
                name: "menu", chrome: .none, width: 2 * MenuView.mostWidth + 24, content: Column(spacing: 22, pairs),
                description: "The menu while Sallyport runs, asks, has notes, begins, is paused, and does not run")
        ]
    }
}

/// A piece of the menu bar with our item, and the menu below.
struct MenuView: Element {
    /// A menu breaks no line, so it is as wide as its longest item. A wider one than this is a
    /// mistake.
    static let mostWidth = 320.0
    let content: MenuContent
    private let barHeight = 26.0
    private let itemHeight = 22.0
    private let inset = 5.0
    /// The room between the menu's edge and its texts, and between a text and its key.
    private let margin = 15.0
    private let gap = 24.0

    var idealWidth: Double { (content.items.map(width).max() ?? 0).rounded(.up) }

    private func width(_ item: MenuContent.Item) -> Double {
        2 * margin + Typeface.body.width(text(item)) + (key(item).map { gap + Typeface.body.width($0) } ?? 0)
    }

    private func text(_ item: MenuContent.Item) -> String {
        switch item {
        case .text(let text), .button(_, let text): text
        case .separator: ""
        }
    }

    private func key(_ item: MenuContent.Item) -> String? {
        switch item {
        case .button(.openSettings, _): "⌘,"
        case .button(.quit, _): "⌘Q"
        default: nil
        }
    }

    private func height(_ item: MenuContent.Item) -> Double { item == .separator ? 11 : itemHeight }

    func height(within width: Double) -> Double {
        barHeight + 4 + content.items.reduce(2 * inset) { $0 + height($1) }
    }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let bar = Frame(x: frame.x, y: frame.y, width: MenuView.mostWidth, height: barHeight)
        canvas.box(bar, radius: 6, fill: .titleBar)
        let end = drawIcon(in: bar, on: &canvas)
        canvas.text("Fri 20 Nov 12:00", .body, .text, x: bar.maxX - 12, baseline: bar.midY + 4.7, anchor: .end)
        if end > bar.maxX - 130 { canvas.complain("the menu bar’s item is too wide") }
        for item in content.items where width(item) > MenuView.mostWidth {
            canvas.complain("“\(text(item))” makes the menu \(Int(width(item))) points wide")
        }
        let box = Frame(x: frame.x, y: bar.maxY + 4, width: idealWidth, height: height(within: 0) - barHeight - 4)
        canvas.shadow(of: box, radius: 7)
        canvas.box(box, radius: 7, fill: .menu)
        canvas.box(box, radius: 7, fill: nil, stroke: .menuEdge, strokeWidth: 0.75)
        drawItems(in: box, on: &canvas)
    }

    private func drawIcon(in bar: Frame, on canvas: inout Canvas) -> Double {
        let symbols: [MenuContent.Icon: String] = [
            .running: Glyph.locked, .off: Glyph.struck, .paused: Glyph.paused, .troubled: Glyph.worried, .asking: Glyph.hand,
        ]
        let item = Frame(x: bar.x + 6, y: bar.y + 2, width: content.badge == nil ? 31 : 46, height: 22)
        canvas.box(item, radius: 5, fill: .track, opacity: 0.8)
        let fill: Tint? = content.icon == .asking ? .text : nil
        canvas.path(
            symbols[content.icon] ?? Glyph.shield, x: bar.x + 13, y: bar.y + 4.5, fill: fill, stroke: .text, strokeWidth: 1.6,
            scale: 0.85)
        if let badge = content.badge { canvas.text(badge, .body, .text, x: bar.x + 36, baseline: bar.midY + 4.7) }
        return item.maxX
    }

    private func drawItems(in box: Frame, on canvas: inout Canvas) {
        var y = box.y + inset
        for item in content.items {
            let tint: Tint = if case .text = item { .secondary } else { .text }
            if item == .separator {
                canvas.box(Frame(x: box.x + margin, y: y + 5, width: box.width - 2 * margin, height: 1), fill: .hairline)
            } else {
                canvas.text(text(item), .body, tint, x: box.x + margin, baseline: y + 15.5)
            }
            if let key = key(item) { canvas.text(key, .body, .tertiary, x: box.maxX - margin, baseline: y + 15.5, anchor: .end) }
            y += height(item)
        }
    }
}
