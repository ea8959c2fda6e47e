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
        sentence = FormRefusal.worded("\(why.prefix(1).uppercased())\(why.dropFirst()).")
    }

    /// The table has the daemon's sentences. In those of `1 to 64 …` the number is apart.
    private static func worded(_ said: String) -> String {
        guard said.begins(with: "1 to "), case (let most, let rest?) = said.without(first: 5).cut(at: " "), let number = Int(most)
        else { return localized(daemons: said) }
        let wording: Wording = "1 to \(number: number) "
        return localized(Wording(key: wording.key + rest, arguments: wording.arguments))
    }
}
