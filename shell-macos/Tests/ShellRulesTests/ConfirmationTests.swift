import Foundation
import XCTest

@testable import ShellRules

/// Privilege increases that other shells ask for. A person confirms each one here: once, not with a
/// stray click, and not late. Also the app's own requests.
final class ConfirmationTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)
    private let soon = moment("2026-11-20T12:00:01.000Z", uptime: 101)
    private let late = moment("2026-11-20T12:05:00.000Z", uptime: 400)

    private func asked(_ id: String? = nil) throws -> ConfirmationView {
        var view = try Fixtures.read(Fixtures.Sent<ConfirmationView>.self, "control/confirmation.asked.notification").params
        if let id { view.id = id }
        return view
    }

    /// A sheet that was read to its end.
    private func read() throws -> ConfirmationSheet {
        var sheet = ConfirmationSheet(try asked(), at: now)
        _ = sheet.handle(.endShown, at: now)
        return sheet
    }

    private func connected(_ start: Presence.Start = .byLink) throws -> ShellState {
        var state = ShellState(start: start)
        state.link = .connected
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        status.requestsWaiting = 0
        _ = state.handle(
            .attachment(.init(questions: [], confirmations: [], status: status)), at: now)
        return state
    }

    func testItSaysWhatHappensEscaped() throws {
        let sheet = ConfirmationSheet(try asked(), at: now)
        XCTAssertEqual(
            sheet.sentence,
            "This makes a Full Access token \"Wide\\u{202e}\" that reaches \"Shop\" and \"Payroll\", and never expires.")
        XCTAssertEqual(
            sheet.changes.map { "\($0.label): \($0.value)" },
            [
                "Token: Wide\\u{202e}", "May do: Full Access", "Reaches (2): Shop\nPayroll", "Expires: never",
                "Client may answer: no",
            ])
        XCTAssertEqual(sheet.facts.map(\.standing), [.claim])
    }

    func testEachValueIsShownWithTheOneBeforeAndItsLinesOnlyWhereSomeAreExpected() throws {
        var view = try asked()
        view.facts = [
            .init(label: "File", value: "/b\nConnection: Harmless", former: "/a\u{200b}", form: .line),
            .init(label: "Statement", value: "DELETE\n\u{202e}", former: nil, form: .lines),
        ]
        let changes = ConfirmationSheet(view, at: now).changes
        XCTAssertEqual(
            changes.map { "\($0.label): \($0.value)" },
            [
                "File: /b\\u{a}Connection: Harmless", "File until now: /a\\u{200b}", "Statement: DELETE\n\\u{202e}",
            ])
        XCTAssertEqual(Set(changes.map(\.id)).count, 3)
        XCTAssertTrue(changes.allSatisfy { $0.standing == .fact })
    }

    func testThePassphraseIsTakenBelowWhatWouldChangeReadToItsEnd() throws {
        let fact = { (value: String, former: String?, form: ConfirmationFact.Form) in
            ConfirmationFact(label: "Statement", value: value, former: former, form: form)
        }
        let wanting = { (facts: [ConfirmationFact]?) in
            let data = ControlError.Details(confirm: .passphrase, sentence: "This\u{202e} gives more.", facts: facts)
            return PassphrasePrompt(ControlError(code: -33007, message: "It needs a terminal.", data: data))
        }
        let (nothing, typed) = (PassphraseForm(), typing("correct horse"))
        let prompt = wanting([fact("DELETE\n\u{202e}", "a\u{fe01}b\n", .lines)])
        XCTAssertEqual(prompt.sentence, "This\\u{202e} gives more.")
        XCTAssertEqual(prompt.request, "Type the owner passphrase to allow this.")
        XCTAssertEqual(
            prompt.changes.map { "\($0.label): \($0.value)" },
            ["Statement: DELETE\n\\u{202e}", "Statement until now: a\\u{fe01}b\n"])
        XCTAssertEqual(prompt.remark(typed: typed, endWasShown: false), "Read to the end of what would change to allow it.")
        XCTAssertNil(prompt.remark(typed: nothing, endWasShown: true))
        XCTAssertFalse(prompt.canConfirm(typed: typed, endWasShown: false))
        XCTAssertFalse(prompt.canConfirm(typed: nothing, endWasShown: true))
        XCTAssertTrue(prompt.canConfirm(typed: typed, endWasShown: true))
        XCTAssertNotEqual(prompt, wanting([fact("DELETE", nil, .line)]), "drawn anew, so read anew")

        let bare = wanting(nil)
        XCTAssertEqual(bare.changes, [])
        XCTAssertNil(bare.remark(typed: nothing, endWasShown: false), "there is nothing to read but the sentence")
        XCTAssertTrue(bare.canConfirm(typed: typed, endWasShown: false))
    }

    private func typing(_ first: String, _ again: String = "") -> PassphraseForm {
        var form = PassphraseForm()
        (form.first, form.again) = (first, again)
        return form
    }

    func testAFirstPassphraseIsChosenTwiceTypedBelowWhatItAllows() throws {
        let prompt = PassphrasePrompt(try Fixtures.read(ControlRefusal.self, "control/error.choose").error)
        XCTAssertTrue(prompt.isFirst)
        XCTAssertEqual(prompt.request, "No owner passphrase is chosen yet: choose one, of 8 characters or more, to allow this.")
        XCTAssertTrue(prompt.sentence.hasPrefix("This makes a Read & Write token"), prompt.sentence)
        XCTAssertFalse(prompt.sentence.contains("terminal"), "what is for shells that can't ask")
        XCTAssertEqual(prompt.changes.count, 5)
        for (form, endWasShown, remark) in [
            (typing("correct horse", "correct horse"), false, "Read to the end of what would change to allow it."),
            (typing(""), true, nil), (typing("short", "short"), true, "8 to 256 characters are expected."),
            (typing("correct horse", "correct"), true, "The two passphrases differ."),
        ] {
            XCTAssertEqual(prompt.remark(typed: form, endWasShown: endWasShown), remark)
            XCTAssertFalse(prompt.canConfirm(typed: form, endWasShown: endWasShown))
        }
        XCTAssertTrue(prompt.canConfirm(typed: typing("correct horse", "correct horse"), endWasShown: true))
    }

    func testTheAppsOwnRequestIsAllowedAboveWhatWouldChangeReadToItsEnd() {
        let wanting = { (facts: [ConfirmationFact]) in
            ConfirmationPrompt(
                ControlError(
                    code: -33007, message: "It has to be approved in Sallyport.app.",
                    data: .init(confirm: .app, sentence: "This\u{202e} gives more.", facts: facts)))
        }
        let prompt = wanting([
            .init(label: "Host", value: "a\u{202e}b", former: "c", form: .line)
        ])
        XCTAssertEqual(prompt.sentence, "This\\u{202e} gives more.")
        XCTAssertEqual(prompt.changes.map { "\($0.label): \($0.value)" }, ["Host: a\\u{202e}b", "Host until now: c"])
        XCTAssertEqual(prompt.remark(endWasShown: false), "Read to the end of what would change to allow it.")
        XCTAssertFalse(prompt.choices(endWasShown: false)[0].state.isEnabled)
        XCTAssertNil(prompt.remark(endWasShown: true))
        XCTAssertTrue(prompt.choices(endWasShown: true)[0].state.isEnabled)
        XCTAssertTrue(wanting([]).choices(endWasShown: false)[0].state.isEnabled, "there is nothing to read but the sentence")
    }

    func testItIsAllowedOnlyAfterItsEndWasShown() throws {
        var sheet = ConfirmationSheet(try asked(), at: now)
        XCTAssertNil(sheet.handle(.pressed(.approve), at: soon))
        XCTAssertEqual(sheet.remark(at: soon), "Read to the end of what would change to allow it.")
        XCTAssertFalse(sheet.approveButton(at: soon).isEnabled)
        XCTAssertTrue(sheet.deciding.denyButton(at: soon).isEnabled)
        XCTAssertNil(sheet.handle(.endShown, at: soon))
        XCTAssertNil(sheet.remark(at: soon))
        XCTAssertEqual(sheet.handle(.pressed(.approve), at: soon), .decide(.init(id: sheet.id, answer: .yes)))

        var view = try asked()
        view.facts = []
        XCTAssertTrue(ConfirmationSheet(view, at: now).endWasShown, "there is nothing to read but the sentence")
        var denied = ConfirmationSheet(try asked(), at: now)
        XCTAssertEqual(denied.handle(.pressed(.deny), at: now), .decide(.init(id: denied.id, answer: .no)))
    }

    func testOneVerdictNotInTheFirstMomentAndNotLate() throws {
        var sheet = try read()
        XCTAssertNil(sheet.handle(.pressed(.approve), at: now), "a click meant for what stood there before")
        XCTAssertFalse(sheet.approveButton(at: now).isEnabled)
        let yes = Command.ConfirmationsDecide(id: sheet.id, answer: .yes)
        XCTAssertEqual(sheet.handle(.pressed(.approve), at: soon), .decide(yes))
        XCTAssertNil(sheet.handle(.pressed(.deny), at: soon))
        XCTAssertNil(sheet.handle(.pressed(.approve), at: soon))
        _ = sheet.handle(.taken(.init(id: sheet.id, answer: .yes)), at: soon)
        XCTAssertTrue(sheet.deciding.isOver)

        var other = try read()
        XCTAssertNil(other.handle(.pressed(.approve), at: late))
        XCTAssertFalse(other.approveButton(at: late).isEnabled)
        XCTAssertFalse(other.deciding.denyButton(at: late).isEnabled)
    }

    func testClosingIsANo() throws {
        var sheet = ConfirmationSheet(try asked(), at: now)
        XCTAssertEqual(sheet.handle(.closed, at: now), .decide(.init(id: sheet.id, answer: .no)))
    }

    func testARefusalIsShownAndLeavesItOpen() throws {
        var sheet = try read()
        _ = sheet.handle(.pressed(.approve), at: soon)
        _ = sheet.handle(.refused(.init(code: -33007, message: "Only \u{202e}Sallyport.app can confirm.")), at: soon)
        XCTAssertEqual(sheet.remark(at: soon), "Only \\u{202e}Sallyport.app can confirm.")
        XCTAssertFalse(sheet.approveButton(at: soon).isEnabled, "deaf once more")
    }

    /// The command that the daemon must get then.
    private func decided(
        _ state: inout ShellState, _ event: ConfirmationSheet.Event, _ id: String, _ at: Moment
    ) -> ConfirmationSheet.Effect? {
        state.handle(.confirmation(id: id, event), at: at).compactMap {
            if case .confirmation(let effect) = $0 { effect } else { nil }
        }.first
    }

    func testItIsToldOfAndBringsTheMenuBar() throws {
        var state = try connected()
        let effects = state.handle(.notification(.confirmationAsked(try asked())), at: now)
        guard case .notice(.post(let id, _, let body))? = effects.first else { return XCTFail("nobody told") }
        XCTAssertEqual(id, try asked().id)
        XCTAssertFalse(body.contains("Full Access"), "nothing of it on a lock screen")
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: true))
        XCTAssertEqual(state.confirmations.current?.id, id)
        XCTAssertNil(decided(&state, .endShown, id, now))
        XCTAssertEqual(decided(&state, .pressed(.approve), id, soon), .decide(.init(id: id, answer: .yes)))
        let taken = state.handle(.confirmation(id: id, .taken(.init(id: id, answer: .yes))), at: soon)
        XCTAssertEqual(effects.last, .showWindow(.confirmation))
        XCTAssertEqual(taken, [.notice(.withdraw(id: id)), .closeWindow(.confirmation)])
        XCTAssertNil(state.confirmations.current)
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: false))
    }

    func testEachOnceOldestFirstAndWithdrawnOnesGiveWay() throws {
        var state = try connected()
        for id in ["a", "b", "a"] { _ = state.handle(.notification(.confirmationAsked(try asked(id))), at: now) }
        XCTAssertEqual(state.confirmations.sheets.map(\.id), ["a", "b"])
        let gone = ConfirmationWithdrawn(id: "a", because: .cancelled)
        XCTAssertEqual(
            state.handle(.notification(.confirmationWithdrawn(gone)), at: soon), [.notice(.withdraw(id: "a"))])
        XCTAssertEqual(state.confirmations.current?.id, "b")
        XCTAssertNil(decided(&state, .endShown, "b", soon))
        XCTAssertNil(decided(&state, .pressed(.approve), "b", soon), "it stands where the other one stood")
        XCTAssertNil(decided(&state, .pressed(.approve), "a", late))
    }

    func testANoEndsThoseBehindItUnseen() throws {
        var state = try connected()
        for id in ["a", "b", "c"] { _ = state.handle(.notification(.confirmationAsked(try asked(id))), at: now) }
        XCTAssertEqual(decided(&state, .pressed(.deny), "a", soon), .decide(.init(id: "a", answer: .no)))
        // In the daemon's order: first the answered one, then the others, then the result of the
        // answer.
        for id in ["a", "b", "c"] {
            let withdrawn = ConfirmationWithdrawn(id: id, because: .no)
            _ = state.handle(.notification(.confirmationWithdrawn(withdrawn)), at: soon)
            XCTAssertEqual(state.confirmations.current?.id, "a")
        }
        _ = state.handle(.confirmation(id: "a", .taken(.init(id: "a", answer: .no))), at: soon)
        XCTAssertNil(state.confirmations.current)
        XCTAssertEqual(state.confirmations.pendingCount, 0)
    }

    func testALostDaemonTakesThemWithIt() throws {
        var state = try connected()
        _ = state.handle(.notification(.confirmationAsked(try asked())), at: now)
        XCTAssertEqual(state.handle(.link(.lost), at: now), [.notice(.withdraw(id: try asked().id))])
        XCTAssertEqual(state.confirmations.current?.deciding.ending, .lost)
        XCTAssertEqual(state.confirmations.pendingCount, 0)
    }

    func testListsAreReadAgainWhenTheDaemonSaysSo() throws {
        var state = try connected(.byHand)
        XCTAssertEqual(state.handle(.notification(.tokensChanged), at: now), [], "nobody sees them")
        _ = state.handle(.presence(.opened(.settings)), at: now)
        for list in [ControlNotification.connectionsChanged, .tokensChanged, .settingsChanged] {
            XCTAssertEqual(state.handle(.notification(list), at: now), [.loadLists])
        }
        let rows = try Fixtures.read(ControlNotification.self, "control/activity.appended.notification")
        XCTAssertEqual(state.handle(.notification(rows), at: now), [], "a row is no news of a list")
    }

    func testAGivenUpConfirmationIsNoAlert() {
        let error = ControlError(code: -33007, message: "no", data: .init(confirm: .app))
        XCTAssertTrue(ControlClient.Failure.refused(error).isGivenUp)
    }
}
