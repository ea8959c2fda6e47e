import AppKit
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// Each sheet has one button for each choice, and a press sends the answer of its choice.
@MainActor
final class DecisionViewTests: XCTestCase {
    private func question() async throws -> (Desk, Stage, String) {
        let desk = try await Desk()
        desk.model.send(.notification(try Desk.told("approval.asked")))
        return (desk, Stage(QuestionWindow(model: desk.model)), try XCTUnwrap(desk.model.state.questions.current).id)
    }

    private func check(_ desk: Desk, _ stage: Stage) throws {
        stage.check(try XCTUnwrap(desk.model.state.questions.current).choices(at: .now))
    }

    func testAQuestionIsAnsweredAsItsChoicesSay() async throws {
        let (desk, stage, id) = try await question()
        stage.markBottom = 400
        try check(desk, stage)
        try await desk.wait()
        try check(desk, stage)
        XCTAssertEqual(stage.button("Run Statement")?.isEnabled, false, "not read to its end")
        stage.button("Run Statement")?.press()
        let isSilent = try await desk.wasSilent("approvals.decide")
        XCTAssertTrue(isSilent)
        stage.markBottom = 60
        _ = stage.draw()
        XCTAssertEqual(desk.model.state.questions.current?.endWasShown, true)
        try check(desk, stage)
        stage.button("Run Statement")?.press()
        let asked = try await desk.asked("approvals.decide")
        XCTAssertEqual(asked, #"{"answer":"yes","id":"\#(id)"} confirmed app"#)
        try await until("over") { desk.model.state.questions.current == nil }
    }

    func testBlanksOfAStatementAreCountedAndNotItsText() async throws {
        let desk = try await Desk()
        var view = try Fixtures.read(Fixtures.Sent<ApprovalView>.self, "control/approval.asked.notification").params
        view.expiresAt = "2099-11-20T12:05:00.000Z"
        view.statement?.text = "DELETE FROM t WHERE id = 1\(String(repeating: " ", count: 300))OR true"
        desk.model.send(.notification(.approvalAsked(view)))
        let stage = Stage(QuestionWindow(model: desk.model))
        let texts = stage.texts
        XCTAssertTrue(texts.contains("… 300 blanks") && texts.contains("OR true"), "\(texts)")
        XCTAssertEqual(stage.draw().filter { $0.kind == .image && $0.title == "ellipsis.circle" }.count, 1, "not as the text is")
        XCTAssertTrue(texts.contains("deletes 500 rows of public.größen"), "\(texts)")
    }

    func testDenyReturnAndEscDeny() async throws {
        for press in [
            { (stage: Stage) in stage.button("Don’t Run")?.press() }, { $0.press("defaultAction") }, { $0.press("cancelAction") },
        ] {
            let (desk, stage, id) = try await question()
            press(stage)
            let asked = try await desk.asked("approvals.decide")
            XCTAssertEqual(asked, #"{"answer":"no","id":"\#(id)"} confirmed app"#)
        }
    }

    func testAQuestionThatEndedElsewhereCloses() async throws {
        let (desk, stage, _) = try await question()
        desk.model.send(.notification(try Desk.told("approval.withdrawn")))
        try check(desk, stage)
        stage.button("Close")?.press()
        XCTAssertNil(desk.model.state.questions.current)
        let isSilent = try await desk.wasSilent("approvals.decide")
        XCTAssertTrue(isSilent)
    }

    func testAPassphraseIsTypedForThisQuestion() async throws {
        let (desk, stage, id) = try await question()
        desk.refuse("approvals.decide", "error.confirm")
        stage.markBottom = 60
        try await desk.wait()
        _ = stage.draw()
        stage.button("Run Statement")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        XCTAssertEqual(stage.field("Owner Passphrase")?.kind, .secureField)
        stage.field("Owner Passphrase")?.type("correct horse")
        stage.button("Confirm")?.press()
        try await until("sent") { desk.asked.count == 2 }
        XCTAssertEqual(desk.asked.last?.params, #"{"answer":"yes","id":"\#(id)"} confirmed app with correct horse"#)
    }

    func testAFirstPassphraseIsSetForThisQuestion() async throws {
        let (desk, stage, id) = try await question()
        desk.refuse("approvals.decide", "error.choose")
        stage.markBottom = 60
        try await desk.wait()
        _ = stage.draw()
        stage.button("Run Statement")?.press()
        try await until("asked for it") { stage.field("New passphrase") != nil }
        _ = stage.draw()
        stage.field("New passphrase")?.type("correct horse")
        stage.field("Verify")?.type("correct horse")
        stage.button("Choose and Allow")?.press()
        try await until("sent") { desk.asked.count == 3 }
        XCTAssertEqual(desk.asked[1], .init(method: "passphrase.set", params: #"{"passphrase":"correct horse"}"#))
        XCTAssertEqual(desk.asked[2].params, #"{"answer":"yes","id":"\#(id)"} confirmed app with correct horse"#)
    }

    func testAPassphraseNotTypedIsNoAnswer() async throws {
        let (desk, stage, _) = try await question()
        desk.refuse("approvals.decide", "error.confirm")
        stage.button("Don’t Run")?.press()
        try await until("asked for it") { stage.field("Owner Passphrase") != nil }
        stage.field("Owner Passphrase")?.type("half of")
        stage.button("Cancel")?.press()
        XCTAssertTrue(try XCTUnwrap(desk.model.state.questions.current).deciding.isOpen)
        XCTAssertEqual(desk.asked.filter { $0.method == "approvals.decide" }.count, 1)
    }

    func testAPairingIsAnsweredAsItsChoicesSay() async throws {
        let desk = try await Desk()
        desk.model.send(
            .opened(address: "sallyport://integrations/pair?client=x&redirect=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback"))
        try await until("begun") { desk.model.state.pairings.current != nil }
        XCTAssertEqual(
            NSWindow.shown.last { $0.title == "Pairing Request" }?.done,
            ["size 480 \(Int(PairingSheet.windowSize.height))", "center", "key", "front"])
        let stage = Stage(PairingWindow(model: desk.model))
        let sheet = { try XCTUnwrap(desk.model.state.pairings.current) }
        stage.check(try sheet().choices(at: .now))
        XCTAssertEqual(stage.toggle("All connections")?.isOn?.wrappedValue, false)
        stage.toggle("All connections")?.turn(true)
        XCTAssertEqual(stage.toggle("All connections")?.isOn?.wrappedValue, true)
        stage.toggle("All connections")?.turn(false)
        XCTAssertEqual(try sheet().ticked, .only([]))
        stage.check(try sheet().choices(at: .now))
        stage.toggle("Größe")?.turn(true)
        XCTAssertEqual(try sheet().ticked, .only([try sheet().rows[0].id]), "this one, and no later ones")
        stage.picker("Permission Level")?.choose(Scope.readOnly)
        stage.picker("Expiration")?.choose(TokenExpiry.allCases[0])
        XCTAssertEqual(try sheet().scope, .readOnly)
        XCTAssertEqual(try sheet().expires, TokenExpiry.allCases[0])
        XCTAssertEqual(stage.picker("Permission Level")?.picked, Scope.readOnly)
        XCTAssertEqual(stage.picker("Expiration")?.picked, TokenExpiry.allCases[0])
        XCTAssertEqual(stage.picker("Permission Level")?.options.map(\.title), Scope.allCases.map(\.label))
        try await desk.wait()
        stage.check(try sheet().choices(at: .now))
        stage.button("Approve")?.press()
        XCTAssertEqual(stage.toggle("All connections")?.isEnabled, false, "on its way")
        let asked = try await desk.asked("pairing.decide")
        XCTAssertTrue(asked.contains(#""approve":true"#) || asked.contains(#""answer":"yes""#) || asked.contains("scope"), asked)
        try await until("opened") { !NSWorkspace.one.opened.isEmpty }
        XCTAssertEqual(NSWorkspace.one.opened.last?.host, "127.0.0.1")
        XCTAssertNil(desk.model.state.pairings.current)
    }

    func testARefusedPairingMayBeTriedAgain() async throws {
        let desk = try await Desk()
        desk.refuse("pairing.decide", "error.refused")
        desk.model.send(
            .opened(address: "sallyport://integrations/pair?client=x&redirect=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback"))
        try await until("begun") { desk.model.state.pairings.current != nil }
        Stage(PairingWindow(model: desk.model)).button("Deny")?.press()
        try await until("told") { desk.model.state.pairings.current?.deciding.problem != nil }
        XCTAssertEqual(desk.model.state.pairings.current?.deciding.isOpen, true)
    }

    func testAPairingIsDeniedAndClosed() async throws {
        let desk = try await Desk()
        let link = "sallyport://integrations/pair?client=x&redirect=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback"
        desk.model.send(.opened(address: link))
        try await until("begun") { desk.model.state.pairings.current != nil }
        Stage(PairingWindow(model: desk.model)).press("cancelAction")
        let denied = try await desk.asked("pairing.decide")
        XCTAssertFalse(denied.contains("scope"), denied)
        desk.model.send(.opened(address: link))
        try await until("begun again") {
            desk.asked.filter { $0.method == "pairing.begin" }.count == 2 && desk.model.state.pairings.current != nil
        }
        try XCTUnwrap(NSWindow.shown.first { $0.title == "Pairing Request" }).pressCloseButton()
        _ = try await desk.asked("pairing.close")
        XCTAssertFalse(NSWindow.shown.contains { $0.title == "Pairing Request" })
    }

    func testAConfirmationIsAnsweredAsItsChoicesSay() async throws {
        let desk = try await Desk()
        desk.model.send(.notification(try Desk.told("confirmation.asked")))
        let stage = Stage(ConfirmationWindow(model: desk.model))
        let sheet = { try XCTUnwrap(desk.model.state.confirmations.current) }
        let id = try sheet().id
        stage.markBottom = 400
        stage.check(try sheet().choices(at: .now))
        stage.markBottom = 60
        _ = stage.draw()
        try await desk.wait()
        stage.check(try sheet().choices(at: .now))
        XCTAssertTrue(try sheet().endWasShown)
        stage.button("Allow")?.press()
        let asked = try await desk.asked("confirmations.decide")
        XCTAssertEqual(asked, #"{"answer":"yes","id":"\#(id)"}"#)
        try await until("over") { desk.model.state.confirmations.current == nil }
        XCTAssertFalse(NSWindow.shown.contains { $0.title == "Confirm a Change" })
    }

    func testAConfirmationIsRefusedByEscAndByItsCloseButton() async throws {
        for isClosed in [false, true] {
            let desk = try await Desk()
            desk.model.send(.notification(try Desk.told("confirmation.asked")))
            let window = try XCTUnwrap(NSWindow.shown.first { $0.title == "Confirm a Change" })
            XCTAssertEqual(window.done.last, "front", "it takes no keys")
            if isClosed { window.pressCloseButton() } else { Stage(ConfirmationWindow(model: desk.model)).press("cancelAction") }
            let asked = try await desk.asked("confirmations.decide")
            XCTAssertTrue(asked.contains(#""answer":"no""#), asked)
        }
    }
}
