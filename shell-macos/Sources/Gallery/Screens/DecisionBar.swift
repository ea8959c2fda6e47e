import ShellRules

/// The foot of both sheets: remark, countdown, Approve and Deny, or Close where there is nothing to decide any more.
func decisionBar(
    _ deciding: Deciding, remark sentence: String?, deny: (String, ButtonState), approve: (String, ButtonState), at now: Moment
) -> Column {
    let buttons: [any Element] =
        deciding.ending == nil
        ? [
            GlyphView(path: Glyph.clock, size: 15, tint: .secondary),
            Label(deciding.countdown(at: now).words, .body, .secondary),
            Spacer(), Button(approve.0, isEnabled: approve.1.isEnabled),
            Button(deny.0, .standard, isEnabled: deny.1.isEnabled),
        ] : [Spacer(), Button(localized("Close"), .standard)]
    let above: [any Element] = sentence.map { [remark($0)] } ?? []
    return Column(spacing: 0, [Rule(), Padding(16, 16, Column(spacing: 12, above + [Row(spacing: 8, buttons)]))])
}

/// Labels at the left, and at the right what is decided on, whole; a claim says that it is one.
func factRows(_ facts: [Fact]) -> [any Element] {
    facts.map { fact in
        let claim: [any Element] =
            fact.standing == .claim
            ? [Label(localized("as it says itself"), .small, .secondary, breaking: .words, anchor: .end)] : []
        let value = Label(fact.value, .body, factTint(fact), breaking: .anywhere, anchor: .end)
        return Row(spacing: 16, alignment: .top, [Label(fact.label), Column(spacing: 2, [value] + claim)])
    }
}

/// Outside a form: labels to the left of their column's edge, values beside them.
func factGrid(_ facts: [Fact]) -> Column {
    let labels = facts.map { Label("\($0.label):", .body, .secondary, anchor: .end) }
    let width = labels.map(\.idealWidth).max() ?? 0
    return Column(
        spacing: 6,
        zip(facts, labels).map { fact, label in
            let claim: [any Element] =
                fact.standing == .claim ? [Label(localized("as it says itself"), .small, .secondary, breaking: .words)] : []
            let value = Label(fact.value, .body, factTint(fact), breaking: .anywhere)
            return Row(spacing: 8, alignment: .top, [Fixed(width, label), Column(spacing: 2, [value] + claim)])
        })
}

private func factTint(_ fact: Fact) -> Tint { fact.standing == .fact ? .text : .secondary }
