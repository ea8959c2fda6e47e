/// Tells Sallyport's deep links apart (spec §2, §10). Whether a pairing link is a good one is
/// judged by the daemon.
public enum DeepLink: Equatable, Sendable {
    case startServer
    /// As it came.
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

    /// The scheme of a pairing link's redirect, in lower case, whose app is to be looked up; nil
    /// for a web address, and where none can be read.
    public static func redirectScheme(_ link: String) -> String? {
        guard let query = link.cut(at: "?").1,
            let item = query.pieces(at: "&").first(where: { $0.begins(with: "redirect=") }),
            let redirect = PercentEncoding.decoded(item.without(first: 9).replacing("+" as Unicode.Scalar, with: " "))
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
