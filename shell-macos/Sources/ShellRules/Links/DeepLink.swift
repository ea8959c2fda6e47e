/// Tells Sallyport's deep links apart (spec §2, §10). The daemon checks a pairing link.
public enum DeepLink: Equatable, Sendable {
    case startServer
    /// The link, unchanged.
    case pair(String)
    case unknown

    public init(_ link: String) {
        let lower = link.asciiLowercased
        if lower == "sallyport://integrations/start-mcp" || lower == "sallyport://integrations/start-mcp/" {
            self = .startServer
        } else if lower.begins(with: "sallyport://integrations/pair?") {
            self = .pair(link)
        } else {
            self = .unknown
        }
    }

    public static var unknownSentence: String {
        localized("This is no link that Sallyport knows; pairing links come from the client.")
    }

    /// The scheme of a pairing link's redirect, in lower case. The app that opens it is looked up.
    /// Nil for a web address, or if there is none.
    public static func redirectScheme(_ link: String) -> String? {
        guard let query = link.cut(at: "?").1,
            let item = query.pieces(at: "&").first(where: { $0.begins(with: "redirect=") }),
            let redirect = item.without(first: 9).replacing("+" as Unicode.Scalar, with: " ").removingPercentEncoding
        else { return nil }
        let (before, rest) = redirect.cut(at: ":")
        let scheme = before.asciiLowercased
        guard rest != nil, isScheme(scheme), scheme != "http", scheme != "https" else { return nil }
        return scheme
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCIILetter, text.utf8.count <= 64 else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCIILetter || scalar.isASCIIDigit || scalar == "+" || scalar == "." || scalar == "-"
        }
    }
}
