/// Escapes the texts of others (spec §12), so that nothing in them can reorder a line, break it or
/// hide. The other shells of the project have the same rule.
public enum ShownText {
    public static let longestName = 64

    /// On one line, with each such character as `\u{…}`.
    public static func oneLine(_ text: String) -> String {
        escaped(text, keepsLines: false)
    }

    /// For a statement: line feeds and tabs stay.
    public static func lines(_ text: String) -> String {
        escaped(text, keepsLines: true)
    }

    /// For a sentence of the app that may quote others, on one line. No-break spaces stay, as
    /// French needs them.
    public static func sentence(_ text: String) -> String {
        escaped(text, keepsLines: false, keepsNoBreakSpaces: true)
    }

    /// A name on one line of at most 64 characters.
    public static func name(_ text: String) -> String {
        let shown = oneLine(text).unicodeScalars
        guard shown.count > longestName else { return String(shown) }
        return String(String.UnicodeScalarView(shown.prefix(longestName - 1))) + "…"
    }

    private static func escaped(_ text: String, keepsLines: Bool, keepsNoBreakSpaces: Bool = false) -> String {
        var shown = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            // A backslash before u{ would let a text imitate the escape of another character.
            if scalar == "\\", index + 2 < scalars.count, scalars[index + 1] == "u", scalars[index + 2] == "{" {
                shown.append(contentsOf: "\\u{5c}u{".unicodeScalars)
                index += 3
                continue
            }
            if !isUnshowable(scalar) || (keepsLines && (scalar == "\n" || scalar == "\t"))
                || (keepsNoBreakSpaces && (scalar == "\u{a0}" || scalar == "\u{202f}"))
            {
                shown.append(scalar)
            } else {
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            }
            index += 1
        }
        return String(shown)
    }

    static func isUnshowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        // Another blank looks like the space, but a database takes it for something else.
        case .spaceSeparator: scalar != " "
        // Fillers, joiners and all variation selectors, those of emoji too. If they were hidden,
        // two texts could look the same, and a run of them could hide data. The braille blank is a
        // symbol that draws nothing.
        default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
        }
    }
}
