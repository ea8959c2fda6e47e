/// What became of the person's answer to requests, in the daemon's sentences.
extension DeskDecision {
    var outcome: String {
        let sentences = (said + (problem.map { [$0] } ?? [])).map { worded($0.parts) ?? ShownText.oneLine($0.text) }
        return (sentences + ran.flatMap(\.warnings).map(ShownText.oneLine)).joined(separator: " ")
    }
}

extension AskSheet {
    /// For write access that was given to a waiting request.
    static var allowedWriting: String {
        localized("AI clients may write there now. The client sends it again: tell it to go on.")
    }
}
