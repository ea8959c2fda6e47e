import AppKit
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// The window that asks before the person's own change.
@MainActor
final class PromptTests: XCTestCase {
    private func shown() async throws -> (NSWindow, Stage) {
        try await until("a window") { !NSWindow.shown.isEmpty }
        let window = try XCTUnwrap(NSWindow.shown.last)
        return (window, Stage(try XCTUnwrap(window.shownView)))
    }

    /// More requests a minute than before.
    private func set() async throws -> (Desk, NSWindow, Stage) {
        let desk = try await Desk()
        try desk.refuse("click/more-requests")
        Task { await desk.model.ask(Command.SettingsSet(key: "limits.requestsPerMinute", value: .integer(770))) }
        let (window, stage) = try await shown()
        return (desk, window, stage)
    }

    func testAYesIsGivenOnlyToWhatWasRead() async throws {
        let (desk, window, stage) = try await set()
        let prompt = ConfirmationPrompt(try Recorded("click/more-requests").error())
        let size = prompt.windowSize
        XCTAssertEqual(window.done, ["size \(Int(size.width)) \(Int(size.height))", "center", "key", "front"])
        stage.markBottom = 400
        stage.check(prompt.choices(endWasShown: false))
        stage.button("Allow")?.press()
        stage.markBottom = 60
        _ = stage.draw()
        stage.check(prompt.choices(endWasShown: true))
        stage.button("Allow")?.press()
        try await until("confirmed") { desk.asked.contains { $0.method == "settings.set" && $0.params.contains("confirmed app") } }
        XCTAssertFalse(NSWindow.shown.contains { $0 === window })
    }

    func testANoIsGivenByCancelEscAndTheCloseButton() async throws {
        for way in 0..<3 {
            let (desk, window, stage) = try await set()
            switch way {
            case 0: stage.button("Cancel")?.press()
            case 1: stage.press("cancelAction")
            default: window.pressCloseButton()
            }
            try await until("gone") { !NSWindow.shown.contains { $0 === window } }
            try await Task.sleep(for: .milliseconds(100))
            XCTAssertEqual(desk.asked.filter { $0.method == "settings.set" }.count, 1, "not asked again")
            XCTAssertTrue(NSWindow.shown.isEmpty, "who gave up needs no notice")
        }
    }

    func testASecondPromptIsGivenUpAtOnce() async throws {
        let (desk, window, _) = try await set()
        let second = await desk.model.prompts.confirmed(ConfirmationPrompt(try Recorded("click/more-requests").error()))
        XCTAssertFalse(second)
        XCTAssertEqual(window.done.suffix(4), ["key", "front", "key", "front"], "who asks again finds the first one")
        XCTAssertEqual(NSWindow.shown.filter { $0 === window }.count, NSWindow.shown.count)
        window.pressCloseButton()
    }

    func testThePassphraseIsHandedOnOnceAndNotKept() async throws {
        let prompt = PassphrasePrompt(try Recorded("passphrase/pairing").error())
        var given: [String?] = []
        let stage = Stage(PassphraseView(prompt: prompt) { given.append($0) })
        stage.markBottom = 400
        let typed = "correct horse"
        XCTAssertEqual(stage.field("Owner Passphrase")?.kind, .secureField)
        stage.check(prompt.choices(typed: "", endWasShown: false))
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

    func testAPassphraseThatOnlyATerminalCanChooseIsToldOf() async throws {
        let desk = try await Desk()
        let refusal = try desk.refuse("file/resume")
        desk.model.send(.chose(.resume))
        let (_, stage) = try await shown()
        XCTAssertTrue(stage.texts.contains(refusal.message), "\(stage.texts)")
        XCTAssertTrue(refusal.message.hasSuffix("A person chooses one on a terminal: `sallyport passphrase set`."))
        XCTAssertNil(stage.field("New passphrase"))
        XCTAssertEqual(desk.asked.map(\.method), ["resume"])
    }

    func testTheChoicesOfThePrompts() async throws {
        let prompt = ConfirmationPrompt(try Recorded("click/more-requests").error())
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.label), ["Allow", "Cancel"])
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.answer), [true, false])
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.keys), [[.commandReturn], [.returnKey, .escape]])
        XCTAssertEqual(prompt.choices(endWasShown: true).map(\.state.isEnabled), [true, true])
        XCTAssertEqual(prompt.choices(endWasShown: false).map(\.state.isEnabled), [false, true])
        let passphrase = PassphrasePrompt(try Recorded("passphrase/pairing").error())
        let choices = passphrase.choices(typed: "x", endWasShown: true)
        XCTAssertEqual(choices.map(\.label), ["Cancel", "Confirm"])
        XCTAssertEqual(choices.map(\.answer), [false, true])
        XCTAssertEqual(choices.map(\.keys), [[.escape], [.returnKey]])
        XCTAssertEqual(choices.map(\.state.isEnabled), [true, true])
        XCTAssertEqual(passphrase.choices(typed: "", endWasShown: true).map(\.state.isEnabled), [true, false])
    }
}
