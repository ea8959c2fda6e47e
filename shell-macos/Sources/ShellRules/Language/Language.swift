import Foundation

/// The language of the texts. The app's bundle has the tables. Without them, as in tests, it is
/// English.
public struct Language: Sendable {
    /// The format of numbers and times.
    public let locale: Locale
    private let format: @Sendable (_ key: String, _ english: String) -> String

    /// - Parameter format: gives the text or format of this language for a key, or `english` if it
    ///   has none.
    public init(locale: Locale, format: @escaping @Sendable (_ key: String, _ english: String) -> String) {
        self.locale = locale
        self.format = format
    }

    /// Texts come from Localizable.strings, and counted ones from Localizable.stringsdict, as macOS
    /// chooses.
    @TaskLocal public static var current = Language(locale: .autoupdatingCurrent) { key, english in
        Bundle.main.localizedString(forKey: key, value: english, table: nil)
    }

    public static let english = Language(locale: Locale(identifier: "en_US")) { _, english in english }

    /// - Parameter english: differs from the key if the count is one.
    func text(_ wording: Wording, english: String) -> String {
        filled(format(wording.key, english), wording.arguments)
    }

    /// - Parameter code: the English text with `%@` or `%lld` for each value. It is a key and
    ///   never a format: only the table's text is a format.
    /// - Returns: nil if the table has none.
    func text(code: String, values: [Wording.Argument]) -> String? {
        let (format, none) = (format(code, "\u{0}"), "\u{0}")
        let isWhole = ["%@", "%lld"].allSatisfy { sign in
            code.components(separatedBy: sign).count == values.filter { $0.sign == sign }.count + 1
        }
        return format != none && isWhole ? filled(format, values) : nil
    }

    private func filled(_ format: String, _ values: [Wording.Argument]) -> String {
        if values.isEmpty { return format }
        let arguments: [any CVarArg] = values.map { argument in
            switch argument {
            case .text(let text): text as NSString
            case .number(let number): number
            }
        }
        return String(format: format, locale: locale, arguments: arguments)
    }
}

/// In the user's language. Show it verbatim: SwiftUI would look it up again and read names in it as
/// Markdown.
public func localized(_ wording: Wording) -> String {
    Language.current.text(wording, english: wording.key)
}

/// Joins texts of the app with the comma of the user's language.
func listed(_ texts: [String]) -> String {
    texts.dropFirst().reduce(texts.first ?? "") { localized("\($0), \($1)") }
}

/// A text of the daemon in the user's language if the table has it, otherwise in English.
func localized(daemons text: String) -> String {
    Language.current.text(Wording(stringLiteral: text), english: text)
}

/// The same with values in it. Nil if the table lacks it.
func localized(code: String, values: [String]) -> String? {
    Language.current.text(code: code, values: values.map(Wording.Argument.text))
}

func localized(code: String, values: [Int]) -> String? {
    Language.current.text(code: code, values: values.map(Wording.Argument.number))
}

/// In the user's language, which may have more forms than these two. They are in
/// Localizable.stringsdict under `other`.
/// - Parameter other: has the count in it, and nothing else.
func counted(_ count: Int, one: Wording, other: Wording) -> String {
    Language.current.text(other, english: count == 1 ? one.key : other.key)
}
