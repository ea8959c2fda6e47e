import ShellRules

/// The foot of both sheets: remark, countdown, Approve and Deny. Once all is decided there is only
/// Close.
func decisionBar(_ sheet: some DecisionSheet, at now: Moment) -> Column {
    let countdown: [any Element] =
        sheet.deciding.ending == nil
        ? [
            GlyphView(path: Glyph.clock, size: 15, tint: .secondary),
            Label(sheet.deciding.countdown(at: now).words, .body, .secondary),
        ] : []
    let buttons = countdown + [Spacer()] + choiceButtons(sheet.choices(at: now))
    let above: [any Element] = sheet.remark(at: now).map { [remark($0)] } ?? []
    return Column(spacing: 0, [Rule(), Padding(16, 16, Column(spacing: 12, above + [Row(spacing: 8, buttons)]))])
}

/// The button that Return presses looks so.
func choiceButtons<Answer>(_ choices: [Choice<Answer>]) -> [any Element] {
    choices.map { choice in
        choice.keys.contains(.returnKey)
            ? Button(choice.label, .standard, isEnabled: choice.state.isEnabled)
            : Button(choice.label, isEnabled: choice.state.isEnabled)
    }
}

/// Labels at the left, whole values at the right. A claim is named as a claim.
func factRows(_ facts: [Fact]) -> [any Element] {
    facts.map { fact in
        let claim: [any Element] =
            fact.standing == .claim
            ? [Label(localized("not verified"), .small, .secondary, breaking: .words, anchor: .end)] : []
        let value = Label(fact.value, .body, factTint(fact), breaking: .anywhere, anchor: .end)
        return Row(spacing: 16, alignment: .top, [Label(fact.label), Column(spacing: 2, [value] + claim)])
    }
}

/// For places outside a form: labels are right-aligned, values are beside them.
func factGrid(_ facts: [Fact]) -> Column {
    let labels = facts.map { Label(localized("\($0.label):"), .body, .secondary, anchor: .end) }
    let width = labels.map(\.idealWidth).max() ?? 0
    return Column(
        spacing: 6,
        zip(facts, labels).map { fact, label in
            let claim: [any Element] =
                fact.standing == .claim ? [Label(localized("not verified"), .small, .secondary, breaking: .words)] : []
            let value = Label(fact.value, .body, factTint(fact), breaking: .anywhere)
            return Row(spacing: 8, alignment: .top, [Fixed(width, label), Column(spacing: 2, [value] + claim)])
        })
}

private func factTint(_ fact: Fact) -> Tint { fact.standing == .fact ? .text : .secondary }
