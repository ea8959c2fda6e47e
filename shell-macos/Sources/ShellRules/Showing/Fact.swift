/// One labelled line of what a person decides on. A claim is what the asking program says of
/// itself; a fact is what Sallyport knows.
public struct Fact: Hashable, Identifiable, Sendable {
    public enum Standing: Equatable, Sendable {
        case claim, fact
    }

    public let label: String
    /// Escaped already.
    public let value: String
    public let standing: Standing

    public var id: String { label }

    /// What VoiceOver reads.
    public var spoken: String {
        standing == .claim ? localized("\(label), not verified: \(value)") : localized("\(label): \(value)")
    }

    static func fact(_ label: Wording, _ value: String) -> Fact { known(localized(label), value) }
    /// What a client comes in by, by its name; nil for the stdio bridge.
    static func token(_ name: String?, isBox: Bool? = nil) -> Fact {
        let shown = name.map(ShownText.name) ?? localized("None: it asks through the stdio bridge")
        return isBox == true ? .fact("Box", shown) : .fact("Token", shown)
    }
    static func claim(_ label: Wording, _ value: String) -> Fact {
        Fact(label: localized(label), value: value, standing: .claim)
    }

    /// - Parameter label: of the daemon, or in the user's language already; escaped.
    static func known(_ label: String, _ value: String) -> Fact { Fact(label: label, value: value, standing: .fact) }
}
