/// One labelled line of a decision. A claim comes from the asking program. A fact comes from
/// Sallyport.
public struct Fact: Hashable, Sendable {
    public enum Standing: Equatable, Sendable {
        case claim, fact
    }

    public let label: String
    /// Escaped.
    public let value: String
    public let standing: Standing

    /// What VoiceOver reads.
    public var spoken: String {
        standing == .claim ? localized("\(label), not verified: \(value)") : localized("\(label): \(value)")
    }

    static func fact(_ label: Wording, _ value: String) -> Fact { known(localized(label), value) }
    static func claim(_ label: Wording, _ value: String) -> Fact {
        Fact(label: localized(label), value: value, standing: .claim)
    }

    /// - Parameter label: the daemon's, or already in the user's language. Escaped.
    static func known(_ label: String, _ value: String) -> Fact { Fact(label: label, value: value, standing: .fact) }
}
