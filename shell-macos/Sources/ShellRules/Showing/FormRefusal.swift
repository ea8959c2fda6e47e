/// The daemon's refusal of a form: the field, by the daemon's name, and the reason as a sentence in
/// the reader's language.
public struct FormRefusal: Equatable, Sendable {
    /// Nil if it concerns no single field.
    public let path: String?
    /// Escaped.
    public let sentence: String

    /// Nil if the person gave it up.
    public init?(_ failure: ControlClient.Failure) {
        if failure.isGivenUp { return nil }
        guard case .refused(let error) = failure, let field = error.data?.field, let why = error.data?.why.map(ShownText.oneLine)
        else {
            (path, sentence) = (nil, failure.sentence)
            return
        }
        path = field
        let counted = error.data?.counts.flatMap { localized(code: FormRefusal.asSentence($0.code), values: $0.values) }
        sentence = counted ?? localized(daemons: FormRefusal.asSentence(why))
    }

    private static func asSentence(_ clause: String) -> String { "\(clause.prefix(1).uppercased())\(clause.dropFirst())." }
}
