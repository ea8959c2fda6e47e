import AppKit
import SwiftUI
import UserNotifications
import XCTest

@testable import Shell
@testable import ShellRules

/// The card has one button for each choice, and a press sends the answer of its choice. Beside it
/// the list chooses.
@MainActor
final class DeskViewTests: XCTestCase {
    private let link = "sallyport://integrations/pair?client=x&redirect=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback"

    private func asked(_ ids: String...) async throws -> (Desk, Stage) {
        let desk = try await Desk()
        for id in ids { try desk.ask(id) }
        return (desk, Stage(DeskWindow(model: desk.model)))
    }

    private func requests() async throws -> (Desk, Stage) {
        let (desk, stage) = try await asked("rqst2345", "rqst6789")
        desk.model.send(.chose(.showDesk))
        return (desk, stage)
    }

    private func pairing() async throws -> (Desk, Stage) {
        let desk = try await Desk()
        desk.model.send(.opened(address: link))
        try await until("begun") { desk.model.state.desk.sheet != nil }
        return (desk, Stage(DeskWindow(model: desk.model)))
    }

    /// Ticked, with its rows counted.
    private func choose(_ title: String, _ desk: Desk, _ stage: Stage) async throws {
        stage.toggle(title)?.turn(true)
        // It is drawn before the count is known, too.
        _ = stage.draw()
        try await until("opened") { desk.model.state.desk.sheet?.uncounted == [] }
        _ = stage.draw()
        try await desk.wait()
    }

    private func check(_ desk: Desk, _ stage: Stage) throws {
        let (card, now) = (try desk.card(), Moment.now)
        stage.check(card.levels(at: now) + card.choices(at: now))
    }

    // MARK: Who waits

    func testAQuestionIsAnsweredAsItsChoicesSay() async throws {
        let (desk, stage) = try await asked("k3m9x2pq")
        stage.markBottom = 400
        try check(desk, stage)
        try await desk.wait()
        try check(desk, stage)
        XCTAssertEqual(stage.button("Run Statement")?.isEnabled, false, "not read to its end")
        stage.button("Run Statement")?.press()
        XCTAssertTrue(try desk.card().deciding.isOpen)
        let isSilent = try await desk.wasSilent("desk.decide")
        XCTAssertTrue(isSilent)
        stage.markBottom = 60
        _ = stage.draw()
        XCTAssertTrue(try desk.card().endWasShown)
        try check(desk, stage)
        stage.button("Run Statement")?.press()
        let asked = try await desk.asked("desk.decide")
        XCTAssertEqual(asked, #"{"answer":"yes","ids":["k3m9x2pq"]} confirmed app"#)
        try await until("over") { desk.model.state.desk.sheet == nil }
        XCTAssertFalse(NSWindow.shown.contains { $0.title == "Waiting for You" })
    }

    func testBlanksOfAStatementAreCountedAndNotItsText() async throws {
        let desk = try await Desk()
        try desk.ask("k3m9x2pq") {
            $0.statement?.askedStatement.text = "DELETE FROM t WHERE id = 1\(String(repeating: " ", count: 300))OR true"
        }
        let stage = Stage(DeskWindow(model: desk.model))
        let texts = stage.texts
        XCTAssertTrue(texts.contains("… 300 blanks") && texts.contains("OR true"), "\(texts)")
        XCTAssertEqual(stage.draw().filter { $0.kind == .image && $0.title == "ellipsis.circle" }.count, 1, "not as the text is")
        XCTAssertTrue(texts.contains("deletes 500 rows of public.größen"), "\(texts)")
    }

    func testDenyReturnAndEscDeny() async throws {
        for press in [
            { (stage: Stage) in stage.button("Don’t Run")?.press() }, { $0.press("defaultAction") }, { $0.press("cancelAction") },
        ] {
            let (desk, stage) = try await asked("k3m9x2pq")
            try await desk.wait()
            press(stage)
            let asked = try await desk.asked("desk.decide")
            XCTAssertEqual(asked, #"{"answer":"no","ids":["k3m9x2pq"]} confirmed app"#)
        }
    }

    func testAQuestionThatEndedElsewhereSaysSoAndCloses() async throws {
        let (desk, stage) = try await asked("k3m9x2pq")
        desk.end("k3m9x2pq")
        try check(desk, stage)
        XCTAssertTrue(stage.texts.contains("It was withdrawn: the program that asked no longer waits."), "\(stage.texts)")
        stage.button("Close")?.press()
        XCTAssertNil(desk.model.state.desk.sheet)
        let isSilent = try await desk.wasSilent("desk.decide")
        XCTAssertTrue(isSilent)
    }

    func testAPassphraseIsTypedForThisCard() async throws {
        for (id, label, refusal) in [
            ("k3m9x2pq", "Run Statement", "passphrase/statement"), ("m4n8c2vb", "Allow", "passphrase/increase"),
        ] {
            let (desk, stage) = try await asked(id)
            try desk.refuse(refusal)
            stage.markBottom = 60
            try await desk.wait()
            _ = stage.draw()
            stage.button(label)?.press()
            try await until("asked for it") { stage.field("Owner Passphrase") != nil }
            XCTAssertEqual(stage.field("Owner Passphrase")?.kind, .secureField)
            stage.field("Owner Passphrase")?.type("correct horse")
            stage.button("Confirm")?.press()
            try await until("sent") { desk.asked.count == 2 }
            XCTAssertEqual(desk.asked.last?.params, #"{"answer":"yes","ids":["\#(id)"]} confirmed app with correct horse"#)
        }
    }

    func testAPassphraseNotTypedIsNoAnswer() async throws {
        let (desk, stage) = try await asked("k3m9x2pq")
        try desk.refuse("passphrase/statement")
        stage.markBottom = 60
        try await desk.wait()
        _ = stage.draw()
        stage.button("Run Statement")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        stage.field("Owner Passphrase")?.type("half of")
        stage.button("Cancel")?.press()
        XCTAssertTrue(try desk.card().deciding.isOpen)
        XCTAssertEqual(desk.asked.filter { $0.method == "desk.decide" }.count, 1)
    }

    func testAnIncreaseIsAnsweredAsItsChoicesSay() async throws {
        let (desk, stage) = try await asked("m4n8c2vb")
        stage.markBottom = 400
        try check(desk, stage)
        stage.markBottom = 60
        _ = stage.draw()
        try await desk.wait()
        try check(desk, stage)
        stage.button("Allow")?.press()
        let asked = try await desk.asked("desk.decide")
        XCTAssertEqual(asked, #"{"answer":"yes","ids":["m4n8c2vb"]} confirmed app"#)
    }

    func testAnIncreaseIsRefusedByEscAndByItsCloseButton() async throws {
        for isClosed in [false, true] {
            let (desk, stage) = try await asked("m4n8c2vb")
            try await desk.wait()
            if isClosed { try desk.window().pressCloseButton() } else { stage.press("cancelAction") }
            let asked = try await desk.asked("desk.decide")
            XCTAssertTrue(asked.contains(#""answer":"no""#), asked)
        }
    }

    func testThoseBehindItAreListedAndChosen() async throws {
        let (desk, stage) = try await asked("k3m9x2pq")
        try desk.ask("w7r2c4hd")
        XCTAssertEqual(try desk.card().id, "k3m9x2pq")
        XCTAssertEqual(stage.toggle("1. Größe")?.isOn?.wrappedValue, true)
        stage.toggle("2. Größe")?.turn(true)
        XCTAssertEqual(try desk.card().id, "w7r2c4hd")
        try await desk.wait()
        _ = stage.draw()
        try check(desk, stage)
        XCTAssertNil(stage.toggle("All refused"), "one answer is for one of them")
    }

    // MARK: Pairings

    func testAPairingIsAnsweredAsItsChoicesSay() async throws {
        let (desk, stage) = try await pairing()
        XCTAssertEqual(try desk.window().done, ["size 900 600", "center", "key", "front"])
        let sheet = { try XCTUnwrap(try desk.card().pairing) }
        try check(desk, stage)
        XCTAssertEqual(stage.toggle("All connections")?.isOn?.wrappedValue, false)
        stage.toggle("All connections")?.turn(true)
        XCTAssertEqual(stage.toggle("All connections")?.isOn?.wrappedValue, true)
        stage.toggle("All connections")?.turn(false)
        XCTAssertEqual(try sheet().ticked, [])
        try check(desk, stage)
        stage.toggle("Größe")?.turn(true)
        XCTAssertEqual(try sheet().ticked, [try sheet().rows[0].id], "this one, and no later ones")
        stage.picker("Permission Level")?.choose(Scope.readOnly)
        stage.picker("Expiration")?.choose(TokenExpiry.allCases[0])
        XCTAssertEqual(try sheet().scope, .readOnly)
        XCTAssertEqual(try sheet().expires, TokenExpiry.allCases[0])
        XCTAssertEqual(stage.picker("Permission Level")?.picked, Scope.readOnly)
        XCTAssertEqual(stage.picker("Expiration")?.picked, TokenExpiry.allCases[0])
        XCTAssertEqual(stage.picker("Permission Level")?.options.map(\.title), Scope.allCases.map(\.label))
        try await desk.wait()
        try check(desk, stage)
        let ticked = try sheet().rows[0].id
        try desk.answer("click/paired")
        stage.button("Approve")?.press()
        XCTAssertEqual(stage.toggle("All connections")?.isEnabled, false, "on its way")
        let asked = try await desk.asked("desk.decide")
        XCTAssertTrue(asked.contains(#""grant":{"connections":["\#(ticked)"],"expires":1,"scope":"readOnly"}"#), asked)
        try await until("opened") { !NSWorkspace.one.opened.isEmpty && desk.model.state.desk.sheet == nil }
        XCTAssertEqual(NSWorkspace.one.opened.last?.host, "127.0.0.1")
    }

    func testARefusedPairingMayBeTriedAgain() async throws {
        let (desk, stage) = try await pairing()
        try desk.refuse("click/pairing-gone")
        stage.button("Deny")?.press()
        try await until("told") { desk.model.state.desk.sheet?.deciding.problem != nil }
        XCTAssertTrue(try desk.card().deciding.isOpen)
    }

    func testAPairingIsDeniedOrClosed() async throws {
        for (isClosed, answer) in [(false, "no"), (true, "close")] {
            let (desk, stage) = try await pairing()
            let id = try desk.card().id
            try await desk.wait()
            if isClosed { try desk.window().pressCloseButton() } else { stage.press("cancelAction") }
            let asked = try await desk.asked("desk.decide")
            XCTAssertEqual(asked, #"{"answer":"\#(answer)","ids":["\#(id)"]} confirmed app"#)
            if isClosed { XCTAssertFalse(NSWindow.shown.contains { $0.title == "Waiting for You" }) }
        }
    }

    // MARK: Refused requests

    func testTheyAreOpenedByThePersonAndLeftWaiting() async throws {
        for way in 0..<3 {
            let (desk, stage) = try await requests()
            let window = try desk.window()
            XCTAssertEqual(window.done.suffix(2), ["key", "front"])
            stage.check(desk.model.state.desk.leave)
            switch way {
            case 0: stage.press("defaultAction")
            case 1: stage.press("cancelAction")
            default: window.pressCloseButton()
            }
            XCTAssertFalse(desk.model.state.desk.isWanted)
            XCTAssertFalse(NSWindow.shown.contains { $0.title == "Waiting for You" })
            XCTAssertEqual(desk.model.state.menu.badge, "2")
            let isSilent = try await desk.wasSilent("desk.decide")
            XCTAssertTrue(isSilent)
        }
    }

    func testOneIsChosenReadAndRun() async throws {
        let (desk, stage) = try await requests()
        stage.markBottom = 400
        try await choose("1. Größe", desk, stage)
        XCTAssertEqual(try desk.card().ids, ["rqst2345"])
        try check(desk, stage)
        stage.button("Run It Yourself Now")?.press()
        XCTAssertTrue(try desk.card().deciding.isOpen)
        let isSilent = try await desk.wasSilent("desk.decide")
        XCTAssertTrue(isSilent, "not read to its end")
        stage.markBottom = 60
        _ = stage.draw()
        try check(desk, stage)
        try desk.answer("click/ran")
        stage.button("Run It Yourself Now")?.press()
        let asked = try await desk.asked("desk.decide")
        XCTAssertEqual(asked, #"{"answer":"run","ids":["rqst2345"],\#(Self.takes)} confirmed app"#)
        try await until("said") { desk.model.state.desk.outcome != nil }
        XCTAssertTrue(stage.texts.contains("Ran; 3 rows changed. Truncated."), "\(stage.texts)")
        stage.check(desk.model.state.desk.leave)
    }

    private static let takes =
        #""takes":[{"lines":["changes 500 rows of public.größen","deletes 12 rows of public.notes, by a cascade or a trigger"],"note":"The trigger public.audit runs too; what it takes is counted as it runs."}]"#

    func testSeveralAreShownEachWithItsOwn() async throws {
        let (desk, stage) = try await requests()
        stage.markBottom = 60
        try await choose("All refused", desk, stage)
        XCTAssertTrue(desk.model.state.desk.areAllChosen)
        let texts = stage.texts
        for text in ["Claude Code\\u{202e}", "Zed", "Editor", "SET n = $1", "Read only, for 8 hours."] {
            XCTAssertTrue(texts.contains(text), text)
        }
        _ = stage.draw()
        try check(desk, stage)
        stage.button("Allow")?.press()
        let asked = try await desk.asked("desk.decide")
        XCTAssertEqual(asked, #"{"answer":"yes","ids":["rqst2345","rqst6789"],\#(Self.takes)} confirmed app"#)
    }

    func testWhatItTakesIsReadBeforeItIsAllowed() async throws {
        let (desk, stage) = try await requests()
        stage.markBottom = 60
        try desk.refuse("click/open-fails")
        stage.toggle("1. Größe")?.turn(true)
        _ = stage.draw()
        try check(desk, stage)
        XCTAssertNil(stage.button("Allow Once"), "nobody knows what it takes")
        let asked = try await desk.asked("desk.open")
        XCTAssertEqual(asked, #"{"ids":["rqst2345"]}"#)
        try await until("said") { desk.model.state.desk.sheet?.deciding.problem != nil }
        XCTAssertNil(stage.button("Allow Once"))
        desk.said.use { $0.refusals["desk.open"] = nil }
        stage.toggle("1. Größe")?.turn(false)
        try await choose("1. Größe", desk, stage)
        XCTAssertTrue(stage.texts.contains("changes 500 rows of public.größen"), "\(stage.texts)")
        _ = stage.draw()
        XCTAssertEqual(stage.button("Allow Once")?.isEnabled, true)
        try check(desk, stage)
    }

    func testAStatementMayRunSeveralTimes() async throws {
        let (desk, stage) = try await requests()
        stage.markBottom = 60
        XCTAssertNil(stage.picker("Each may run"))
        try await choose("1. Größe", desk, stage)
        _ = stage.draw()
        XCTAssertEqual(stage.picker("Each may run")?.options.map(\.title), AskSheet.timesToChoose.map(AskSheet.label))
        stage.picker("Each may run")?.choose(3)
        XCTAssertEqual(stage.picker("Each may run")?.picked, 3)
        try check(desk, stage)
        stage.button("Allow 3 Times")?.press()
        let asked = try await desk.asked("desk.decide")
        XCTAssertEqual(asked, #"{"answer":"yes","ids":["rqst2345"],\#(Self.takes),"times":3} confirmed app"#)
    }

    func testSeveralRequestsInOneConfirmationEachSayTheirOwn() async {
        let facts = ["1 of 2", "2 of 2"].map { Fact.known("Question", $0) }
        let texts = Stage(FactGrid(facts: facts)).texts
        XCTAssertTrue(texts.contains("1 of 2") && texts.contains("2 of 2"), "of one label: \(texts)")
    }

    func testALevelIsConfirmedAsEveryPrivilegeIncrease() async throws {
        let (desk, stage) = try await requests()
        try desk.refuse("click/level")
        stage.markBottom = 60
        try await choose("1. Größe", desk, stage)
        _ = stage.draw()
        stage.button("For 30 minutes")?.press()
        try await until("asked first") { NSWindow.shown.contains { $0.title == "Sallyport" } }
        let window = try XCTUnwrap(NSWindow.shown.first { $0.title == "Sallyport" })
        let prompt = Stage(try XCTUnwrap(window.shownView))
        prompt.markBottom = 60
        _ = prompt.draw()
        prompt.button("Allow")?.press()
        try await until("confirmed") { desk.asked.contains { $0.params.hasSuffix("confirmed app") } }
        let asked = try await desk.asked("connections.save")
        XCTAssertEqual(
            asked,
            #"{"connection":"0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a11","externalClients":{"forSeconds":1800,"level":"readWrite"}} confirmed app"#
        )
        try await until("said") { desk.model.state.desk.outcome?.hasPrefix("AI clients may write there now.") == true }
    }

    func testARequestIsReadOnceAndAllowedOnce() async throws {
        let (desk, stage) = try await requests()
        let refusal = try desk.refuse("passphrase/request")
        stage.markBottom = 60
        try await choose("1. Größe", desk, stage)
        _ = stage.draw()
        let isLabel = { (text: String) in refusal.facts.contains { "\($0.label):" == text } }
        let labels = stage.texts.filter(isLabel)
        XCTAssertGreaterThan(labels.count, 5, "the card says what is asked")
        stage.press("⌘↩")
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        XCTAssertEqual(stage.texts.filter(isLabel), labels, "what was read is not drawn again above the passphrase")
        XCTAssertNil(NSWindow.shown.first { $0.shownView is PassphraseView || $0.shownView is ConfirmationPromptView })
        XCTAssertFalse(stage.texts.contains("Read to the end of what would change to allow it."), "the card was read")
        stage.field("Owner Passphrase")?.type("correct horse")
        try desk.answer("click/allowed")
        stage.button("Confirm")?.press()
        try await until("taken") { desk.model.state.desk.outcome != nil }
        let asked = desk.asked.filter { $0.method == "desk.decide" }.map(\.params)
        let yes = #"{"answer":"yes","ids":["rqst2345"],\#(Self.takes)} confirmed app"#
        XCTAssertEqual(asked, [yes, "\(yes) with correct horse"])
    }

    func testAPairingsPassphraseIsTypedBelowAllThatItGives() async throws {
        let (desk, stage) = try await pairing()
        try desk.refuse("passphrase/pairing")
        _ = stage.draw()
        let card = try desk.card()
        let all = try XCTUnwrap(card.pairing?.asked.connections)
        for row in all { desk.model.send(.sheet(id: card.id, .chose(.one(id: row.id, true)))) }
        try await desk.wait()
        stage.markBottom = 400
        stage.button("Approve")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        stage.field("Owner Passphrase")?.type("correct horse")
        XCTAssertEqual(stage.button("Confirm")?.isEnabled, false, "not read")
        stage.markBottom = 60
        _ = stage.draw()
        XCTAssertEqual(stage.button("Confirm")?.isEnabled, true)
    }

    func testTheNextQuestionHasNothingOfTheOneBefore() async throws {
        let (desk, stage) = try await asked("k3m9x2pq")
        try desk.refuse("passphrase/statement")
        stage.markBottom = 60
        try await desk.wait()
        _ = stage.draw()
        stage.button("Run Statement")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        stage.field("Owner Passphrase")?.type("half of")
        desk.end("k3m9x2pq")
        try desk.ask("k3m9x2pq") { $0.id = "k3m9x2pr" }
        XCTAssertEqual(try desk.card().id, "k3m9x2pr")
        _ = stage.draw()
        try await desk.wait()
        _ = stage.draw()
        stage.button("Run Statement")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        XCTAssertEqual(stage.field("Owner Passphrase")?.text?.wrappedValue, "")
    }

    func testGivenUpItWaitsOn() async throws {
        let (desk, stage) = try await requests()
        let refusal = try desk.refuse("passphrase/request")
        stage.markBottom = 60
        try await choose("1. Größe", desk, stage)
        _ = stage.draw()
        stage.button("Allow Once")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        XCTAssertFalse(try desk.card().deciding.isOpen)
        stage.button("Cancel")?.press()
        try await until("given up") { desk.model.state.desk.sheet?.deciding.isOpen == true }
        XCTAssertEqual(desk.model.state.desk.asks.count, 2)
        XCTAssertTrue(stage.texts.contains(refusal.shownMessage), "\(stage.texts)")
    }

    func testARefusedAnswerSaysWhy() async throws {
        let (desk, stage) = try await requests()
        try desk.refuse("click/request-gone")
        try await choose("1. Größe", desk, stage)
        stage.button("Don’t Allow")?.press()
        try await until("said") { desk.model.state.desk.sheet?.deciding.problem != nil }
        XCTAssertEqual(desk.model.state.desk.asks.count, 2)
        XCTAssertTrue(stage.texts.contains { $0.hasPrefix("What was chosen no longer waits") }, "\(stage.texts)")
    }

    func testOneThatIsGoneSaysSo() async throws {
        let (desk, stage) = try await requests()
        try await choose("1. Größe", desk, stage)
        desk.end("rqst2345")
        XCTAssertEqual(stage.toggle("1. Größe")?.isEnabled, false, "in its place")
        try check(desk, stage)
        XCTAssertTrue(stage.texts.contains("It was withdrawn: the program that asked no longer waits."), "\(stage.texts)")
        stage.button("Close")?.press()
        stage.check(desk.model.state.desk.leave)
    }

    func testNobodyIsToldWhereTheyDoNotWantIt() async throws {
        for isWanted in [true, false] {
            let desk = try await Desk()
            try desk.answer(isWanted ? "click/notify" : "click/notify-off")
            desk.model.notices.areThere = true
            try desk.ask("rqst2345")
            let asked = try await desk.asked("settings.get")
            XCTAssertEqual(asked, #"{"key":"requests.notify"}"#)
            XCTAssertFalse(NSWindow.shown.contains { $0.title == "Waiting for You" })
            XCTAssertEqual(desk.model.state.menu.badge, "1", "the menu says it all the same")
            if isWanted {
                try await until("posted") { !UNUserNotificationCenter.one.posted.isEmpty }
            } else {
                try await Task.sleep(for: .milliseconds(700))
                XCTAssertTrue(UNUserNotificationCenter.one.posted.isEmpty)
            }
            desk.model.notices.areThere = false
        }
    }

    func testWhatNobodyConfirmedIsSaidInAWindow() async throws {
        let desk = try await Desk()
        try desk.answer("off/resume")
        desk.model.send(.chose(.resume))
        try await until("said") {
            NSWindow.shown.compactMap(\.shownView).contains { view in
                Stage(view).texts.contains { $0.hasPrefix("Nobody confirmed that: the owner passphrase is off") }
            }
        }
    }
}
