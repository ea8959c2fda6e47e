import Foundation
import ShellRules

/// The language a picture is drawn in. There is but English; `longer` stands for those that need more room, as German does: every
/// text of ours a third longer, with longer words, and names as they are. Only what fits in both is drawn.
enum Tongue: CaseIterable {
    case english, longer

    var language: Language {
        switch self {
        case .english: .english
        case .longer: Language(locale: Locale(identifier: "de_DE")) { _, english in Tongue.lengthened(english) }
        }
    }

    /// Every third letter of a word twice, and short labels by more, since short words grow most. `%@` and `%lld` stay.
    private static func lengthened(_ text: String) -> String {
        let least = text.unicodeScalars.count < 12 ? 2 : 3
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            var letters = 0
            var format = ""
            return word.unicodeScalars.reduce(into: "") { longer, scalar in
                longer.unicodeScalars.append(scalar)
                if scalar == "%" || !format.isEmpty {
                    format.unicodeScalars.append(scalar)
                    if ["%%", "%@", "%lld"].contains(format) { format = "" }
                    return
                }
                guard scalar.properties.isAlphabetic else { return }
                letters += 1
                if letters % least == 0 { longer.unicodeScalars.append(scalar.properties.isLowercase ? "ä" : scalar) }
            }
        }.joined(separator: " ")
    }
}
