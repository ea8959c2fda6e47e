/// Makes what others wrote fit to be shown (spec §12): nothing in it can reorder a line, break it
/// or hide. The same rule and the same result as in the project's other shells.
public enum ShownText {
    public static let longestName = 64

    /// On one line: each such character as `\u{…}`.
    public static func oneLine(_ text: String) -> String {
        escaped(text, keepsLines: false)
    }

    /// A statement: line feeds and tabs stay.
    public static func lines(_ text: String) -> String {
        escaped(text, keepsLines: true)
    }

    /// A sentence of ours in which others may be quoted, on one line: French has no-break spaces in
    /// its own.
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
            // A backslash in front of u{ would let a text imitate the escape of another character.
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
        // A blank that isn't the space looks like one, and is none to a database.
        case .spaceSeparator: scalar != " "
        // Fillers, joiners and every variation selector, the one of emoji too: with it hidden two
        // texts look like one, and bits can be hidden in a run of them. And the braille blank,
        // which is a symbol and draws nothing.
        default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
        }
    }
}
