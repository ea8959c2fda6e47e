/// The changes as labelled lines, escaped. They are the same on every sheet. It decides nothing.
extension [ConfirmationFact] {
    /// Each new value and the present one, in drawing order. They have two columns, so that no
    /// value can look like a label.
    var shown: [Fact] {
        flatMap { fact -> [Fact] in
            let shown = fact.form == .lines ? ShownText.lines : ShownText.oneLine
            let label = localized(daemons: ShownText.oneLine(fact.label))
            if fact.isClaim == true { return [Fact(label: label, value: ShownText.name(fact.value), standing: .claim)] }
            let former = fact.former.map { Fact.known(localized("\(label) until now"), shown($0)) }
            return [.known(label, worded(fact.parts ?? []) ?? shown(fact.value))] + [former].compactMap { $0 }
        }
    }
}

/// The daemon's words in the user's language. Nil if not every part has a translation.
func worded(_ parts: [ReasonPart]) -> String? {
    let words = parts.map { localized(code: $0.code, values: $0.values.map(ShownText.oneLine)) }
    return words.isEmpty || words.contains(nil) ? nil : words.compactMap { $0 }.joined(separator: " ")
}

extension ControlError {
    /// In the user's language if it has a translation. Escaped.
    var shownMessage: String { worded(data?.parts ?? []) ?? localized(daemons: ShownText.oneLine(message)) }
    /// The same, without what is for shells that have no prompt.
    var shownSentence: String { worded(data?.parts ?? []) ?? ShownText.oneLine(sentence) }
}

extension [Fact] {
    /// What is missing for the approval. Nil once the last change has been in sight.
    func unreadRemark(endWasShown: Bool) -> String? {
        isEmpty || endWasShown ? nil : Self.unreadSentence
    }

    static var unreadSentence: String { localized("Read to the end of what would change to allow it.") }
}
