/// The greatest width of a text. A reader sees the pictures in a font of their own. The app uses
/// the system's font, whose widths we may not publish. So each character counts with the greater
/// width in two similar fonts: Inter, and Liberation Sans, which has Helvetica's widths. What fits
/// here fits there.
struct Typeface: Equatable {
    enum Weight: Equatable {
        case regular, semibold
    }

    var size: Double
    var weight = Weight.regular
    var isMonospaced = false

    static let body = Typeface(size: 13)
    static let headline = Typeface(size: 13, weight: .semibold)
    static let small = Typeface(size: 11)
    static let smallHeadline = Typeface(size: 11, weight: .semibold)
    static let code = Typeface(size: 11.5, isMonospaced: true)

    var lineHeight: Double { (size * 1.25).rounded() }
    /// Distance from a line's top.
    var baseline: Double { (size * 0.97).rounded() }

    /// In points.
    func width(_ text: String) -> Double {
        let thousandths = text.unicodeScalars.reduce(0) { $0 + advance($1) }
        return Double(thousandths) * size / 1_000
    }

    private func advance(_ scalar: Unicode.Scalar) -> Int {
        if isMonospaced { return scalar.isASCII ? 603 : 1_000 }
        let (printable, others) =
            weight == .regular ? (Typeface.regular, Typeface.regularOthers) : (Typeface.semibold, Typeface.semiboldOthers)
        let index = Int(scalar.value) - 0x20
        if printable.indices.contains(index) { return printable[index] }
        return others[scalar] ?? 1_000
    }

    // Widths of U+0020 to U+007E in thousandths of the size.
    private static let regular = [
        282, 279, 404, 631, 638, 890, 667, 222, 363, 363, 500, 660, 280, 461, 278, 357,
        625, 557, 606, 637, 643, 608, 624, 572, 617, 624, 278, 280, 660, 660, 660, 557,
        1016, 677, 667, 728, 723, 667, 611, 778, 741, 278, 543, 667, 563, 890, 753, 778,
        667, 778, 723, 667, 643, 742, 677, 949, 667, 667, 625, 363, 357, 363, 470, 557,
        498, 564, 621, 559, 621, 583, 361, 610, 591, 238, 238, 545, 238, 870, 586, 597,
        610, 610, 373, 523, 364, 581, 557, 813, 540, 557, 542, 363, 327, 363, 660,
    ]
    private static let semibold = [
        278, 334, 475, 644, 650, 890, 723, 238, 394, 394, 544, 673, 296, 466, 291, 379,
        667, 557, 622, 652, 666, 633, 649, 588, 646, 649, 334, 334, 673, 673, 673, 611,
        1000, 724, 723, 744, 725, 667, 611, 778, 744, 278, 561, 723, 611, 907, 741, 778,
        667, 778, 723, 667, 660, 734, 724, 1007, 691, 705, 653, 394, 379, 394, 584, 557,
        498, 575, 631, 578, 631, 593, 378, 626, 613, 278, 278, 569, 278, 898, 611, 611,
        625, 625, 397, 557, 380, 611, 576, 838, 563, 576, 562, 394, 358, 394, 673,
    ]
    private static let regularOthers: [Unicode.Scalar: Int] = [
        "\u{a0}": 282, "·": 278, "ä": 564, "ö": 597, "ü": 581, "ß": 611, "Ä": 677, "Ö": 778, "Ü": 742, "é": 583, "–": 557,
        "à": 564, "â": 564, "ç": 559, "è": 583, "ê": 583, "î": 278, "ï": 278, "ô": 597, "ù": 581, "û": 581, "œ": 945, "É": 667,
        "À": 677,
        "«": 557, "»": 557, "‘": 223, "’": 223, "“": 381, "”": 381, "•": 563, "›": 358,
    ]
    private static let semiboldOthers: [Unicode.Scalar: Int] = [
        "\u{a0}": 278, "·": 291, "ä": 575, "ö": 611, "ü": 611, "ß": 646, "Ä": 724, "Ö": 778, "Ü": 734, "é": 593, "–": 557,
        "à": 575, "â": 575, "ç": 578, "è": 593, "ê": 593, "î": 278, "ï": 278, "ô": 611, "ù": 611, "û": 611, "œ": 945, "É": 667,
        "À": 724,
        "«": 557, "»": 557, "‘": 278, "’": 278, "“": 500, "”": 500, "•": 497, "›": 381,
    ]
}

extension Typeface {
    /// - Returns: the lines of a text that is broken at its blanks and between ideographs. A word
    /// wider than the room gets a line of its own and stays too wide.
    func lines(of text: String, within width: Double) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                for (index, part) in Typeface.parts(of: word).enumerated() {
                    let longer = line.isEmpty ? part : index > 0 ? line + part : "\(line) \(part)"
                    if !line.isEmpty, self.width(longer) > width {
                        lines.append(line)
                        line = part
                    } else {
                        line = longer
                    }
                }
            }
            return lines + [line]
        }
    }

    /// No line begins with a closing mark or ends with an opening one.
    private static func parts(of word: Substring) -> [String] {
        word.unicodeScalars.reduce(into: []) { parts, scalar in
            guard let before = parts.last?.unicodeScalars.last else { return parts.append(String(scalar)) }
            let isBetween = isWide(before) || isWide(scalar)
            if isBetween, !"、。，．：；！？）」』】〉》ー…ゃゅょっァィゥェォャュョッ".unicodeScalars.contains(scalar),
                !"（「『【〈《".unicodeScalars.contains(before)
            {
                parts.append(String(scalar))
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        (0x3000...0x9fff).contains(scalar.value) || (0xff00...0xffef).contains(scalar.value)
    }

    /// - Returns: the text; if it is too wide, its middle is cut out, as the system does it.
    func cut(_ text: String, to width: Double) -> String {
        guard self.width(text) > width else { return text }
        let scalars = Array(text.unicodeScalars)
        var kept = scalars.count
        while kept > 0 {
            kept -= 1
            let head = scalars.prefix((kept + 1) / 2)
            let tail = scalars.suffix(kept / 2)
            let shorter = String(String.UnicodeScalarView(head)) + "…" + String(String.UnicodeScalarView(tail))
            if self.width(shorter) <= width { return shorter }
        }
        return "…"
    }

    /// - Returns: the text; if it is too wide, its end is cut off.
    func headCut(_ text: String, to width: Double) -> String {
        guard self.width(text) > width else { return text }
        var shorter = text
        while !shorter.isEmpty, self.width(shorter + "…") > width { shorter.removeLast() }
        return shorter + "…"
    }

    /// Breaks at blanks too, leaves nothing out, and breaks words that are too long for a line. For
    /// statements, addresses and names.
    func brokenLines(of text: String, within width: Double) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines: [String] = []
            var rest = Array(paragraph.unicodeScalars)
            while !rest.isEmpty || lines.isEmpty {
                let count = fitting(rest, within: width)
                lines.append(String(String.UnicodeScalarView(rest.prefix(count))))
                rest.removeFirst(count)
            }
            return lines
        }
    }

    /// - Returns: how many characters go on the first line: those up to the last blank, else as
    /// many as fit.
    private func fitting(_ scalars: [Unicode.Scalar], within width: Double) -> Int {
        var taken = 0.0
        var afterBlank = 0
        for (index, scalar) in scalars.enumerated() {
            taken += Double(advance(scalar)) * size / 1_000
            if taken > width, scalar != " " { return max(1, afterBlank == 0 ? index : afterBlank) }
            if scalar == " ", index + 1 < scalars.count, scalars[index + 1] != " ",
                scalars.prefix(index).contains(where: { $0 != " " })
            {
                afterBlank = index + 1
            }
        }
        return scalars.count
    }
}
