import Foundation
import ShellRules

/// The windows that confirm a privilege increase.
struct PassphraseScreen {

    var pictures: [Picture] {
        [
            passphrase(
                "confirm-increase", Samples.wantsPassphrase, endWasShown: false, "The confirmation of a privilege increase"),
            passphrase(
                "confirm-increase-facts", Samples.wantsPassphraseWithFacts, endWasShown: true,
                "The owner passphrase, asked for below what would change"),
            passphrase(
                "confirm-increase-long", Samples.wantsPassphraseWithLongFacts, endWasShown: false,
                "The owner passphrase, before what would change has been read to its end"),
            passphrase(
                "confirm-increase-first", Samples.wantsFirstPassphrase, endWasShown: true,
                "A first owner passphrase, chosen below what would change"),
            own(
                "confirm-own", Samples.wantsConfirmation, endWasShown: false,
                "The confirmation of what was chosen in the app itself"),
            own(
                "confirm-own-facts", Samples.wantsConfirmationWithFacts, endWasShown: true,
                "The confirmation of what was chosen in the app itself, above what would change"),
        ] + another
    }

    private func passphrase(_ name: String, _ wanted: ControlError, endWasShown: Bool, _ description: String) -> Picture {
        let prompt = PassphrasePrompt(wanted)
        let width: Double = prompt.changes.isEmpty ? 420 : 520
        let fieldWidth = width - 100
        let words = Column(
            spacing: 12,
            [Label(prompt.sentence, breaking: .words)] + changes(prompt.changes, within: fieldWidth)
                + [Label(prompt.request, breaking: .words)] + fields(of: prompt, within: fieldWidth)
                + missing(prompt.remark(typed: PassphraseForm(), endWasShown: endWasShown)) + [
                    Row(spacing: 8, [Spacer()] + choiceButtons(prompt.choices(typed: PassphraseForm(), endWasShown: endWasShown)))
                ])
        let content = Row(
            spacing: 16, alignment: .top, [GlyphView(path: Glyph.lock, size: 30, tint: .secondary, strokeWidth: 2.4), words])
        return Picture(
            name: name, chrome: .window(title: localized("Owner Passphrase")), width: width,
            content: fitting(name, Padding(20, 20, content), in: prompt.windowSize), description: description)
    }

    /// The rules rely on this measure: a smaller window would cut off its buttons.
    private func fitting(_ name: String, _ content: any Element, in size: CGSize) -> any Element {
        let measured = content.height(within: size.width)
        guard measured <= size.height else { fatalError("\(name) is \(measured) high, and its window \(size.height)") }
        return content
    }

    private func fields(of prompt: PassphrasePrompt, within width: Double) -> [any Element] {
        let names = prompt.isFirst ? [localized("New passphrase"), localized("Verify")] : [localized("Owner Passphrase")]
        return names.enumerated().map { Field("", placeholder: $1, width: width, hasFocus: $0 == 0) }
    }

    /// A change that the person makes in Settings or in the menu.
    private func own(_ name: String, _ wanted: ControlError, endWasShown: Bool, _ description: String) -> Picture {
        let prompt = ConfirmationPrompt(wanted)
        let width: Double = prompt.changes.isEmpty ? 420 : 520
        let content = Column(
            spacing: 12,
            [Label(prompt.title, .headline), Label(prompt.sentence, breaking: .words)]
                + changes(prompt.changes, within: width - 40)
                + missing(prompt.remark(endWasShown: endWasShown)) + [
                    Row(spacing: 8, [Spacer()] + choiceButtons(prompt.choices(endWasShown: endWasShown)))
                ])
        return Picture(
            name: name, chrome: .window(title: "Sallyport"), width: width,
            content: fitting(name, Padding(20, 20, content), in: prompt.windowSize), description: description)
    }

    private func changes(_ facts: [Fact], within width: Double) -> [any Element] {
        let grid = factGrid(facts)
        let height = min(grid.height(within: width - 16) + 16, 220)
        return facts.isEmpty ? [] : [Scrolled(grid, height: height, fill: .code, inset: 8)]
    }

    private func missing(_ sentence: String?) -> [any Element] {
        sentence.map { [remark($0)] } ?? []
    }

    /// Two requests of another shell: a short one, and one longer than its box.
    private var another: [Picture] {
        let sheet = { (confirmation: ConfirmationView, isRead: Bool) in
            var sheet = ConfirmationSheet(confirmation, at: Samples.moment("2026-11-20T12:00:00.000Z", uptimeSeconds: 992))
            if isRead { _ = sheet.handle(.endShown, at: Samples.now) }
            return sheet
        }
        return [
            picture("confirm-another", sheet(Samples.confirmation, true), "of what another program asks"),
            picture("confirm-another-long", sheet(Samples.longConfirmation, false), "of what has not been read to its end"),
        ]
    }

    private func picture(_ name: String, _ sheet: ConfirmationSheet, _ what: String) -> Picture {
        let now = Samples.now
        let changes = factGrid(sheet.changes)
        let height = min(changes.height(within: 464) + 16, 220)
        let words = Column(
            spacing: 12,
            [
                Label(sheet.title, .headline, breaking: .words), Label(sheet.sentence, breaking: .words),
                Scrolled(changes, height: height, fill: .code, inset: 8), factGrid(sheet.facts),
                Label(sheet.advice, .body, .secondary, breaking: .words),
            ])
        let bar = decisionBar(sheet, at: now)
        return Picture(
            name: name, chrome: .window(title: localized("Confirm a Change")), width: 520,
            content: fitting(name, Column(spacing: 0, [Padding(20, 20, words), bar]), in: sheet.windowSize),
            description: "The confirmation \(what)")
    }
}
