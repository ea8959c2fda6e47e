/// What would change, escaped and as labelled lines: the same on every sheet that has it confirmed.
/// Decides nothing.
extension [ConfirmationFact] {
    /// Each value that would be, and the one that is until now, in the order to be drawn: in two
    /// columns, so that nothing in a value can stand where a label does.
    var shown: [Fact] {
        flatMap { fact -> [Fact] in
            let shown = fact.form == .lines ? ShownText.lines : ShownText.oneLine
            let label = localized(daemons: ShownText.oneLine(fact.label))
            let former = fact.former.map { Fact.known(localized("\(label) until now"), shown($0)) }
            return [.known(label, shown(fact.value))] + [former].compactMap { $0 }
        }
    }
}

extension [Fact] {
    /// What is missing before they may be allowed; nil once the last of them has been in sight.
    func unreadRemark(endWasShown: Bool) -> String? {
        isEmpty || endWasShown ? nil : localized("Read to the end of what would change to allow it.")
    }
}
