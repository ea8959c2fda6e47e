import ShellRules

/// The approval sheet of a pairing, in each state.
struct PairingScreen {

    var pictures: [Picture] {
        let later = Samples.moment("2026-11-20T12:05:01.000Z", uptimeSeconds: 1_300)
        var all = sheet(connections: 4)
        _ = all.handle(.tickedAll(true), at: Samples.now)
        var some = sheet(connections: 14)
        for number in [0, 3, 4, 12] { _ = some.handle(.ticked(id: Samples.id(number), true), at: Samples.now) }
        _ = some.handle(.choseScope(.readOnly), at: Samples.now)
        _ = some.handle(.choseExpiry(.value90), at: Samples.now)
        return [
            picture("pairing", sheet(connections: 4), Samples.now, "as it opens"),
            picture("pairing-expired", sheet(connections: 4), later, "after five minutes"),
            picture(
                "pairing-many", some, Samples.now, "with many connections, four of them ticked, scrolled to them", position: 0.55),
            picture("pairing-all", all, Samples.now, "with all connections ticked"),
        ]
    }

    private func sheet(connections: Int) -> PairingSheet {
        let asked = Samples.moment("2026-11-20T12:00:00.000Z", uptimeSeconds: 992)
        return PairingSheet(Samples.pairing(connections: connections), at: asked)
    }

    private func picture(_ name: String, _ sheet: PairingSheet, _ now: Moment, _ state: String, position: Double = 0) -> Picture {
        let isOpen = sheet.deciding.isOpen
        let form = Column(
            spacing: 18,
            [
                section(PairingSheet.title, factRows(sheet.facts)), grants(sheet, isOpen),
                connections(sheet, isOpen),
            ])
        let content = Column(
            spacing: 0,
            [
                Scrolled(
                    form, height: min(form.height(within: 440) + 32, 560), position: position, isBare: true, inset: 20, vertical: 16
                ),
                decisionBar(sheet, at: now),
            ])
        return Picture(
            name: name, chrome: .window(title: localized("Pairing Request")), width: 480, content: content,
            description: "The pairing sheet \(state)")
    }

    private func grants(_ sheet: PairingSheet, _ isOpen: Bool) -> Card {
        let scope = FormPopUp(sheet.scope.label, of: Scope.allCases.map(\.label), isEnabled: isOpen)
        let expiry = FormPopUp(sheet.expires.label, of: TokenExpiry.allCases.map(\.label), isEnabled: isOpen)
        let callout = Typeface(size: 12)
        return Card([
            formRow(localized("Permission Level"), scope),
            Row(
                spacing: 12, alignment: .top,
                [
                    Label(sheet.scope.explanation, callout, .secondary, breaking: .words), Spacer(),
                    Label(sheet.scopeNote.words, callout, .secondary),
                ]),
            formRow(localized("Expiration"), expiry),
        ])
    }

    private func connections(_ sheet: PairingSheet, _ isOpen: Bool) -> Column {
        let rows: [any Element] = sheet.rows.map { row in
            let name = Label(row.name, .body, isOpen ? .text : .tertiary, breaking: .anywhere)
            let words = Column(spacing: 1, [name, Label(row.detail, .small, .secondary, breaking: .words)])
            return Row(spacing: 12, [words, Spacer(), Switch(isOn: row.isTicked, isEnabled: isOpen)])
        }
        let all = Row(
            spacing: 12,
            [
                Label(PairingSheet.allLabel, .body, isOpen ? .text : .tertiary, breaking: .words), Spacer(),
                Switch(isOn: sheet.areAllTicked, isEnabled: isOpen),
            ])
        return section(localized("Allowed Connections"), [all] + rows)
    }
}
