import Foundation

/// The user's language for a fixed text of ShellRules; one that is not in the table stays as it is. Not for texts with names in them:
/// those are shown verbatim, for SwiftUI reads a key as Markdown, links included.
func localized(_ text: String) -> String {
    NSLocalizedString(text, comment: "")
}

/// - Parameter name: stands for `%@`; never read as a key or as Markdown.
func localized(_ format: String, _ name: String) -> String {
    localized(format).replacingOccurrences(of: "%@", with: name)
}
