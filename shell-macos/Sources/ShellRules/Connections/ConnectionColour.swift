/// The colour that the user gave a connection.
public enum ConnectionColour {
    /// Red, green and blue of `#rrggbb`, from 0 to 1. Nil for any other text.
    public static func components(_ colour: String) -> [Double]? {
        guard colour.begins(with: "#"), colour.utf8.count == 7, let number = Int(colour.dropFirst(), radix: 16), !colour.has("+"),
            number >= 0
        else { return nil }
        return [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
    }

    public static func label(_ colour: String) -> String {
        colour == "grey" ? localized("Gray") : localized(daemons: colour.capitalized)
    }
}
