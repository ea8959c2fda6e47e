import Foundation
import ShellRules

/// The language of a picture. `longer` stands for languages that need more room than ours: our
/// texts are a third longer, names stay as they are. A picture is drawn only if it fits in all
/// languages.
enum Tongue: String, CaseIterable {
    case english, german, longer

    var language: Language {
        switch self {
        case .english: .english
        case .german: Tongue.table("de", Locale(identifier: "de_DE"))
        case .longer: Language(locale: Locale(identifier: "de_DE")) { _, english in Tongue.lengthened(english) }
        }
    }

    /// The app's own table of texts.
    private static func table(_ name: String, _ locale: Locale) -> Language {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Resources/\(name).lproj").standardizedFileURL
        guard let text = try? String(contentsOf: folder.appendingPathComponent("Localizable.strings"), encoding: .utf8),
            let counted = (try? Data(contentsOf: folder.appendingPathComponent("Localizable.stringsdict")))
                .flatMap({ try? PropertyListSerialization.propertyList(from: $0, format: nil) }) as? [String: [String: Any]]
        else { fatalError("no table of \(name)") }
        let texts = Dictionary(
            uniqueKeysWithValues: text.matches(of: /(?m)^"(.*)" = "(.*)";$/).map { (String($0.1), String($0.2)) })
        let plurals = counted.compactMapValues { $0["count"] as? [String: String] }
        return Language(locale: locale) { key, english in
            if let forms = plurals[key] { return forms[english == key ? "other" : "one"] ?? forms["other"] ?? english }
            return texts[key] ?? english
        }
    }

    /// Doubles every third letter. Short labels grow more, as they do in translations. `%@` and
    /// `%lld` stay.
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
