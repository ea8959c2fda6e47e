/// The room of a text at 13 points, counted generously: no sentence of the system's font exceeds
/// it.
enum TextRoom {
    static func width(_ text: String, isBold: Bool = false, isCode: Bool = false) -> Double {
        text.unicodeScalars.reduce(0) { sum, scalar in
            // Ideographs and other non-Latin signs are as wide as they are high.
            sum + (scalar.value >= 0x1100 ? 13.5 : isCode ? 7.9 : isBold ? 7.8 : 7.4)
        }
    }

    static func lines(_ text: String, within width: Double, isBold: Bool = false, isCode: Bool = false) -> Int {
        text.pieces(at: "\n").reduce(0) { sum, line in
            sum + max(1, Int((TextRoom.width(String(line), isBold: isBold, isCode: isCode) / max(width, 1)).rounded(.up)))
        }
    }
}
