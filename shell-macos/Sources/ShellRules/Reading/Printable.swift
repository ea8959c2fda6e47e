/// Texts the daemon keeps as names: what it would refuse is told while it is typed.
enum Printable {
    /// Nil where nothing is wrong. Counted in code points.
    static func problem(_ text: String, most: Int) -> String? {
        let scalars = text.unicodeScalars
        let isPrintable = scalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard (1...most).contains(scalars.count), isPrintable else {
            return localized("1 to \(number: most) printable characters are expected.")
        }
        let ends = [scalars.first, scalars.last].compactMap { $0 }
        return ends.contains { $0.properties.isWhitespace } ? localized("No space may stand at its beginning or end.") : nil
    }

    /// What would be taken for an id where an id or a name is accepted.
    static func isId(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
