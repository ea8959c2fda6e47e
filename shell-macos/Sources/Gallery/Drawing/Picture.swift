/// One picture of the gallery: a window or a menu with its shadow, on a clear ground that fits any
/// page.
struct Picture {
    /// The frame of the content.
    enum Chrome: Equatable {
        case window(title: String)
        /// The Settings window: its title and its tabs, one of them chosen.
        case settings(tabs: [String], chosen: Int)
        /// A sheet over another window.
        case sheet
        case none
    }

    let name: String
    let chrome: Chrome
    let width: Double
    let content: any Element
    /// The description for people who can't see the picture.
    let description: String

    private static let margin = 32.0
    private static let titleBarHeight = 28.0
    private static let toolbarHeight = 80.0
    private static let radius = 10.0

    func drawn(_ appearance: Appearance) -> (svg: String, problems: [String]) {
        var canvas = Canvas(appearance)
        let head = headHeight
        let height = head + content.height(within: width)
        let frame = Frame(x: Picture.margin, y: Picture.margin - 8, width: width, height: height)
        if chrome != .none { drawWindow(frame, on: &canvas) }
        content.draw(in: Frame(x: frame.x, y: frame.y + head, width: width, height: height - head), on: &canvas)
        let whole = (width + 2 * Picture.margin, height + 2 * Picture.margin)
        return (svg(canvas, whole, appearance), canvas.problems.map { "\(name): \($0)" })
    }

    private var headHeight: Double {
        switch chrome {
        case .window: Picture.titleBarHeight
        case .settings: Picture.toolbarHeight
        case .sheet, .none: 0
        }
    }

    private func drawWindow(_ frame: Frame, on canvas: inout Canvas) {
        canvas.shadow(of: frame, radius: Picture.radius)
        canvas.box(frame, radius: Picture.radius, fill: .window)
        if headHeight > 0 {
            canvas.clipped(to: frame, radius: Picture.radius) { canvas in
                let bar = Frame(x: frame.x, y: frame.y, width: frame.width, height: headHeight)
                canvas.box(bar, fill: .titleBar)
                canvas.box(Frame(x: bar.x, y: bar.maxY - 1, width: bar.width, height: 1), fill: .hairline)
            }
            // These windows can't be minimised, and not be made larger than their content.
            canvas.circle(x: frame.x + 16, y: frame.y + 14, radius: 6, colour: "#ff5f57")
            for index in 1...2 { canvas.circle(x: frame.x + 16 + 20 * Double(index), y: frame.y + 14, radius: 6, fill: .track) }
        }
        canvas.box(frame, radius: Picture.radius, fill: nil, stroke: .edge, strokeWidth: 0.75)
        switch chrome {
        case .window(let title): drawTitle(title, in: frame, on: &canvas)
        case .settings(let tabs, let chosen): drawTabs(tabs, chosen, in: frame, on: &canvas)
        case .sheet, .none: break
        }
    }

    private func drawTitle(_ title: String, in frame: Frame, on canvas: inout Canvas) {
        if Typeface.headline.width(title) > frame.width - 160 { canvas.complain("the title “\(title)” is too wide") }
        canvas.text(title, .headline, .text, x: frame.midX, baseline: frame.y + 19, anchor: .middle)
    }

    private func drawTabs(_ tabs: [String], _ chosen: Int, in frame: Frame, on canvas: inout Canvas) {
        drawTitle(tabs[chosen], in: frame, on: &canvas)
        let tab = max(76, (tabs.map(Typeface.small.width).max() ?? 0) + 16)
        var x = frame.midX - tab * Double(tabs.count) / 2
        for (index, label) in tabs.enumerated() {
            let box = Frame(x: x + 2, y: frame.y + 30, width: tab - 4, height: 46)
            if index == chosen { canvas.box(box, radius: 6, fill: .track, opacity: 0.7) }
            let tint: Tint = index == chosen ? .accent : .secondary
            canvas.path(Glyph.tabs[index % Glyph.tabs.count], x: box.midX - 11, y: box.y + 4, stroke: tint, strokeWidth: 1.6)
            canvas.text(label, .small, tint, x: box.midX, baseline: box.maxY - 6, anchor: .middle)
            x += tab
        }
    }

    private func svg(_ canvas: Canvas, _ size: (width: Double, height: Double), _ appearance: Appearance) -> String {
        let box = "width=\"\(size.width.svg)\" height=\"\(size.height.svg)\" viewBox=\"0 0 \(size.width.svg) \(size.height.svg)\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" \(box) role="img" font-family="\(Canvas.systemFonts)">
            <title>\(Canvas.escaped(description))</title>
            <style>.code { font-family: \(Canvas.codeFonts) }</style>
            <defs><filter id="shadow" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="9"/></filter></defs>
            \(canvas.lines.joined(separator: "\n"))
            </svg>

            """
    }
}
