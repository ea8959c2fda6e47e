/// What became of the person's answer to requests, in the daemon's sentences.
extension DeskDecision {
    var outcome: String {
        let sentences = (said + (problem.map { [$0] } ?? [])).map(\.shown)
        return (sentences + ran.flatMap(\.warnings).map(ShownText.oneLine)).joined(separator: " ")
    }
}

extension AskSheet {
    /// For write access that was given to a waiting request.
    static var allowedWriting: String {
        localized("AI clients may write there now. The client sends it again: tell it to go on.")
    }
}

extension Said {
    /// In the user's language. Escaped.
    var shown: String { worded(parts) ?? ShownText.oneLine(text) }
}
