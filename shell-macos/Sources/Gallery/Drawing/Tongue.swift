/// The language a picture is drawn in. There is but English; `longer` stands for those that need more room, as German does: every
/// text of ours a third longer, with longer words. Only what fits in both is drawn.
enum Tongue: CaseIterable {
    case english, longer

    func callAsFunction(_ text: String) -> String {
        self == .english ? text : text.split(separator: "\n").map { Tongue.lengthened(String($0)) }.joined(separator: "\n")
    }

    func callAsFunction(_ texts: [String]) -> [String] {
        texts.map { self($0) }
    }

    /// Every third letter of a word twice, and short labels by more, since short words grow most.
    private static func lengthened(_ text: String) -> String {
        let least = text.unicodeScalars.count < 12 ? 2 : 3
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            var letters = 0
            return word.unicodeScalars.reduce(into: "") { longer, scalar in
                longer.unicodeScalars.append(scalar)
                guard scalar.properties.isAlphabetic else { return }
                letters += 1
                if letters % least == 0 { longer.unicodeScalars.append(scalar.properties.isLowercase ? "ä" : scalar) }
            }
        }.joined(separator: " ")
    }
}
