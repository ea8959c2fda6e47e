import AppKit
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// The window that asks before the person's own change.
@MainActor
final class PromptTests: XCTestCase {
    private func wanted(_ name: String) throws -> ControlError {
        struct Refused: Decodable { let error: ControlError }
        return try Fixtures.read(Refused.self, "control/\(name)").error
    }

    private func shown() async throws -> (NSWindow, Stage) {
        try await until("a window") { !NSWindow.shown.isEmpty }
        let window = try XCTUnwrap(NSWindow.shown.last)
        return (window, Stage(try XCTUnwrap(window.shownView)))
    }

    private func resume() async throws -> (Desk, NSWindow, Stage) {
        let desk = try await Desk()
        desk.refuse("resume", "error.confirm-app")
        desk.model.send(.chose(.resume))
        let (window, stage) = try await shown()
        return (desk, window, stage)
    }

    func testAYesIsGivenOnlyToWhatWasRead() async throws {
        let (desk, window, stage) = try await resume()
        let prompt = ConfirmationPrompt(try wanted("error.confirm-app"))
        let size = prompt.windowSize
        XCTAssertEqual(window.done, ["size \(Int(size.width)) \(Int(size.height))", "center", "key", "front"])
        stage.markBottom = 400
        stage.check(prompt.choices(endWasShown: false))
        stage.button("Allow")?.press()
        stage.markBottom = 60
        _ = stage.draw()
        stage.check(prompt.choices(endWasShown: true))
        stage.button("Allow")?.press()
        try await until("confirmed") { desk.asked.contains { $0.method == "resume" && $0.params.contains("confirmed app") } }
        XCTAssertFalse(NSWindow.shown.contains { $0 === window })
    }

    func testANoIsGivenByCancelEscAndTheCloseButton() async throws {
        for way in 0..<3 {
            let (desk, window, stage) = try await resume()
            switch way {
            case 0: stage.button("Cancel")?.press()
            case 1: stage.press("cancelAction")
            default: window.pressCloseButton()
            }
            try await until("gone") { !NSWindow.shown.contains { $0 === window } }
            try await Task.sleep(for: .milliseconds(100))
            XCTAssertEqual(desk.asked.filter { $0.method == "resume" }.count, 1, "not asked again")
            XCTAssertTrue(NSWindow.shown.isEmpty, "who gave up needs no notice")
        }
    }

    func testASecondPromptIsGivenUpAtOnce() async throws {
        let (desk, window, _) = try await resume()
        let second = await desk.model.prompts.confirmed(ConfirmationPrompt(try wanted("error.confirm-app")))
        XCTAssertFalse(second)
        XCTAssertEqual(window.done.suffix(4), ["key", "front", "key", "front"], "who asks again finds the first one")
        XCTAssertEqual(NSWindow.shown.filter { $0 === window }.count, NSWindow.shown.count)
        window.pressCloseButton()
    }

    func testThePassphraseIsHandedOnOnceAndNotKept() async throws {
        let prompt = PassphrasePrompt(try wanted("error.confirm"))
        var given: [String?] = []
        let stage = Stage(PassphraseView(prompt: prompt) { given.append($0) })
        stage.markBottom = 400
        let typed = typing("correct horse")
        XCTAssertEqual(stage.field("Owner Passphrase")?.kind, .secureField)
        stage.check(prompt.choices(typed: typing(""), endWasShown: false))
        stage.field("Owner Passphrase")?.type("correct horse")
        stage.check(prompt.choices(typed: typed, endWasShown: false))
        stage.field("Owner Passphrase")?.enter()
        XCTAssertEqual(given, [], "Return waits for the end too")
        stage.markBottom = 60
        stage.check(prompt.choices(typed: typed, endWasShown: true))
        stage.field("Owner Passphrase")?.enter()
        XCTAssertEqual(given, ["correct horse"])
        XCTAssertEqual(stage.field("Owner Passphrase")?.text?.wrappedValue, "", "it is not kept")
        stage.field("Owner Passphrase")?.type("another")
        stage.button("Confirm")?.press()
        stage.field("Owner Passphrase")?.type("half of")
        stage.press("cancelAction")
        XCTAssertEqual(given, ["correct horse", "another", nil])
        XCTAssertEqual(stage.field("Owner Passphrase")?.text?.wrappedValue, "", "nor what was given up")
    }

    private func typing(_ first: String, _ again: String = "") -> PassphraseForm {
        var form = PassphraseForm()
        (form.first, form.again) = (first, again)
        return form
    }

    func testAFirstPassphraseIsSetAndThenConfirms() async throws {
        let desk = try await Desk()
        desk.refuse("resume", "error.choose")
        desk.model.send(.chose(.resume))
        let (window, stage) = try await shown()
        let prompt = PassphrasePrompt(try wanted("error.choose"))
        stage.markBottom = 400
        XCTAssertNil(stage.field("Owner Passphrase"), "there is none to be typed")
        XCTAssertEqual(stage.field("New passphrase")?.kind, .secureField)
        XCTAssertEqual(stage.field("Verify")?.kind, .secureField)
        stage.field("New passphrase")?.type("correct horse")
        stage.check(prompt.choices(typed: typing("correct horse"), endWasShown: false))
        stage.markBottom = 60
        _ = stage.draw()
        stage.field("Verify")?.type("correct")
        stage.check(prompt.choices(typed: typing("correct horse", "correct"), endWasShown: true))
        XCTAssertTrue(stage.texts.contains("The two passphrases differ."))
        stage.field("Verify")?.enter()
        XCTAssertTrue(NSWindow.shown.contains { $0 === window })
        stage.field("Verify")?.type("correct horse")
        stage.check(prompt.choices(typed: typing("correct horse", "correct horse"), endWasShown: true))
        stage.field("Verify")?.enter()
        try await until("confirmed") { desk.asked.filter { $0.method == "resume" }.count == 2 }
        XCTAssertEqual(desk.asked.prefix(3).map(\.method), ["resume", "passphrase.set", "resume"])
        XCTAssertEqual(desk.asked[1].params, #"{"passphrase":"correct horse"}"#)
        XCTAssertEqual(desk.asked[2].params, "{} with correct horse")
    }

    func testAFirstPassphraseThatIsRefusedAllowsNothing() async throws {
        let desk = try await Desk()
        desk.refuse("resume", "error.choose")
        desk.refuse("passphrase.set", "error.refused")
        desk.model.send(.chose(.resume))
        let (window, stage) = try await shown()
        stage.markBottom = 60
        _ = stage.draw()
        stage.field("New passphrase")?.type("correct horse")
        stage.field("Verify")?.type("correct horse")
        stage.button("Choose and Allow")?.press()
        try await until("told") { NSWindow.shown.contains { $0 !== window } }
        XCTAssertEqual(desk.asked.filter { $0.method == "resume" }.count, 1, "not asked again")
    }

    func testTheChoicesOfThePrompts() async throws {
        let prompt = ConfirmationPrompt(try wanted("error.confirm-app"))
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.label), ["Allow", "Cancel"])
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.answer), [true, false])
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.keys), [[.commandReturn], [.returnKey, .escape]])
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.state.isEnabled), [true, true])
        XCTAssertEqual(prompt.choices(endWasShown: false).map(\.state.isEnabled), [false, true])
        let passphrase = PassphrasePrompt(try wanted("error.confirm"))
        let choices = passphrase.choices(typed: typing("x"), endWasShown: true)
        XCTAssertEqual(choices.map(\.label), ["Cancel", "Confirm"])
        XCTAssertEqual(choices.map(\.answer), [false, true])
        XCTAssertEqual(choices.map(\.keys), [[.escape], [.returnKey]])
        XCTAssertEqual(choices.map(\.state.isEnabled), [true, true])
        XCTAssertEqual(passphrase.choices(typed: typing(""), endWasShown: true).map(\.state.isEnabled), [true, false])
    }
}
