/// Collects a picture's shapes and texts as lines of SVG, in points from the top left corner. A
/// text without room becomes a problem.
struct Canvas {
    let appearance: Appearance
    private(set) var lines: [String] = []
    private(set) var problems: [String] = []
    private var clips = 0

    init(_ appearance: Appearance) {
        self.appearance = appearance
    }

    enum Anchor: String {
        case start, middle, end
    }

    static let systemFonts =
        "-apple-system, BlinkMacSystemFont, 'SF Pro Text', Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif"
    static let codeFonts = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

    mutating func text(
        _ text: String, _ typeface: Typeface, _ tint: Tint, x: Double, baseline: Double, anchor: Anchor = .start
    ) {
        guard !text.isEmpty else { return }
        var attributes =
            "x=\"\(x.svg)\" y=\"\(baseline.svg)\" font-size=\"\(typeface.size.svg)\" fill=\"\(tint.colour(appearance))\""
        if typeface.weight == .semibold { attributes += " font-weight=\"600\"" }
        if typeface.isMonospaced { attributes += " class=\"code\" xml:space=\"preserve\"" }
        if anchor != .start { attributes += " text-anchor=\"\(anchor.rawValue)\"" }
        lines.append("<text \(attributes)>\(Canvas.escaped(text))</text>")
    }

    /// Words of one size on one line. The reader's font decides where each begins.
    mutating func text(_ words: [(text: String, typeface: Typeface)], _ tint: Tint, x: Double, baseline: Double) {
        let size = words.first?.typeface.size ?? 0
        let spans = words.map { word in
            let text = Canvas.escaped(word.text)
            return word.typeface.weight == .semibold ? "<tspan font-weight=\"600\">\(text)</tspan>" : text
        }
        let attributes = "x=\"\(x.svg)\" y=\"\(baseline.svg)\" font-size=\"\(size.svg)\" fill=\"\(tint.colour(appearance))\""
        lines.append("<text \(attributes)>\(spans.joined(separator: " "))</text>")
    }

    mutating func box(
        _ frame: Frame, radius: Double = 0, fill: Tint?, stroke: Tint? = nil, strokeWidth: Double = 1, opacity: Double = 1
    ) {
        let inset = stroke == nil ? frame : frame.inset(strokeWidth / 2)
        var attributes = "x=\"\(inset.x.svg)\" y=\"\(inset.y.svg)\" width=\"\(inset.width.svg)\" height=\"\(inset.height.svg)\""
        if radius > 0 { attributes += " rx=\"\(radius.svg)\"" }
        attributes += " fill=\"\(fill?.colour(appearance) ?? "none")\""
        if let stroke { attributes += " stroke=\"\(stroke.colour(appearance))\" stroke-width=\"\(strokeWidth.svg)\"" }
        if opacity < 1 { attributes += " opacity=\"\(opacity.svg)\"" }
        lines.append("<rect \(attributes)/>")
    }

    /// A window's shadow; the picture's `shadow` filter makes it soft.
    mutating func shadow(of frame: Frame, radius: Double) {
        let opacity = appearance == .light ? "0.3" : "0.7"
        let box = "x=\"\(frame.x.svg)\" y=\"\((frame.y + 8).svg)\" width=\"\(frame.width.svg)\" height=\"\(frame.height.svg)\""
        lines.append("<rect \(box) rx=\"\(radius.svg)\" opacity=\"\(opacity)\" filter=\"url(#shadow)\"/>")
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: Tint) {
        circle(x: x, y: y, radius: radius, colour: fill.colour(appearance))
    }

    mutating func circle(x: Double, y: Double, radius: Double, colour: String) {
        lines.append("<circle cx=\"\(x.svg)\" cy=\"\(y.svg)\" r=\"\(radius.svg)\" fill=\"\(colour)\"/>")
    }

    /// - Parameter path: in SVG's syntax, from 0, 0.
    mutating func path(
        _ path: String, x: Double, y: Double, fill: Tint? = nil, stroke: Tint? = nil, strokeWidth: Double = 1.5, scale: Double = 1
    ) {
        var attributes = "d=\"\(path)\" transform=\"translate(\(x.svg) \(y.svg))"
        attributes += scale == 1 ? "\"" : " scale(\(scale.svg))\""
        attributes += " fill=\"\(fill?.colour(appearance) ?? "none")\""
        if let stroke {
            attributes +=
                " stroke=\"\(stroke.colour(appearance))\" stroke-width=\"\(strokeWidth.svg)\" stroke-linecap=\"round\""
                + " stroke-linejoin=\"round\""
        }
        lines.append("<path \(attributes)/>")
    }

    mutating func raw(_ line: String) {
        lines.append(line)
    }

    mutating func clipped(to frame: Frame, radius: Double, _ draw: (inout Canvas) -> Void) {
        clips += 1
        let id = "clip\(clips)"
        lines.append(
            "<clipPath id=\"\(id)\"><rect x=\"\(frame.x.svg)\" y=\"\(frame.y.svg)\" width=\"\(frame.width.svg)\""
                + " height=\"\(frame.height.svg)\" rx=\"\(radius.svg)\"/></clipPath>")
        lines.append("<g clip-path=\"url(#\(id))\">")
        draw(&self)
        lines.append("</g>")
    }

    mutating func complain(_ problem: String) {
        problems.append(problem)
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

struct Frame: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    func inset(_ by: Double) -> Frame { Frame(x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by) }
    var midX: Double { x + width / 2 }
    var midY: Double { y + height / 2 }
    var maxX: Double { x + width }
    var maxY: Double { y + height }
}

extension Double {
    /// At most two decimals, the same on every machine.
    var svg: String {
        let hundredths = Int((self * 100).rounded())
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(sign)\(whole).\(decimals)"
    }
}
