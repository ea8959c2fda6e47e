/// Small drawings in SVG's syntax. They replace the system's symbols, which the app uses.
enum Glyph {
    /// 22 points square: Connections, Integrations, Activity, Advanced.
    static let tabs = [
        "M4 6c0-4 14-4 14 0s-14 4-14 0v10c0 4 14 4 14 0V6M4 11c0 4 14 4 14 0",
        "M3 8h4.5a2.2 2.2 0 1 1 4 0H16v4.5a2.2 2.2 0 1 1 0 4V20H3z",
        "M3 4h16v14H3zM3 8h16M6 11.5h1M9.5 11.5h6.5M6 14.7h1M9.5 14.7h6.5",
        "M11 7.5a3.5 3.5 0 1 0 .01 0M11 2.5v2M11 17.5v2M2.5 11h2M17.5 11h2M5 5l1.4 1.4M15.6 15.6 17 17"
            + "M5 17l1.4-1.4M15.6 6.4 17 5",
    ]
    /// 20 points square: the menu bar's symbols.
    static let shield = "M10 1.5 17 4v5q0 6-7 9.5Q3 15 3 9V4z"
    static let locked = "M10 1.5 17 4v5q0 6-7 9.5Q3 15 3 9V4zM7 9.5h6v4H7zM8 9.5V8a2 2 0 0 1 4 0v1.5"
    static let struck = "M10 1.5 17 4v5q0 6-7 9.5Q3 15 3 9V4zM2.5 17.5 17.5 2.5"
    static let worried = "M10 1.5 17 4v5q0 6-7 9.5Q3 15 3 9V4zM10 6v4.5M10 13v.2"
    static let paused = "M10 2a8 8 0 1 0 .01 0M8 7v6M12 7v6"
    static let hand =
        "M5 11V5a1.2 1.2 0 0 1 2.4 0v4-5.5a1.2 1.2 0 0 1 2.4 0V9 4a1.2 1.2 0 0 1 2.4 0v5.5V6a1.2 1.2 0 0 1 2.4 0v6"
        + "q0 6-5 6-3 0-5-3L3.3 12q1-1.5 2.4 0z"
    /// 20 points square, for lines of text.
    static let information = "M10 2a8 8 0 1 0 .01 0M10 9v5M10 6v.2"
    static let circle = "M10 2a8 8 0 1 0 .01 0"
    static let clock = "M10 2a8 8 0 1 0 .01 0M10 5v5l3.5 2"
    static let more = "M10 2a8 8 0 1 0 .01 0M6.3 10h.1M10 10h.1M13.7 10h.1"
    static let stop = "M6.5 2h7L18 6.5v7L13.5 18h-7L2 13.5v-7zM7 7l6 6M13 7l-6 6"
    static let done = "M10 2a8 8 0 1 0 .01 0M6 10.3 9 13 14 7.3"
    static let lock = "M4 9h12v9H4zM6.5 9V6a3.5 3.5 0 0 1 7 0v3"
    static let restore = "M4.5 7A7 7 0 1 1 3 11M4.5 2.5V7H9"
    static let copy = "M6 6V3h11v11h-3M3 6h11v11H3z"
    static let minus = "M4 10h12"
    static let warning = "M10 2.5 18.5 17.5H1.5zM10 8v4.5M10 15v.2"
}

/// A drawing within a line of text.
struct GlyphView: Element {
    let path: String
    let size: Double
    var tint = Tint.text
    var strokeWidth = 1.5
    /// The square that the path is drawn in.
    var square = 20.0

    var idealWidth: Double { size }
    func height(within width: Double) -> Double { size }

    func draw(in frame: Frame, on canvas: inout Canvas) {
        let scale = size / square
        canvas.path(path, x: frame.x, y: frame.y, stroke: tint, strokeWidth: strokeWidth / scale, scale: scale)
    }
}
