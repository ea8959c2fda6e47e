import AppKit
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// The buttons of Get Started, with a terminal command that records its arguments.
@MainActor
final class FirstRunViewTests: XCTestCase {
    private let folder = TestFolder()

    private func opened(_ said: String = FirstRunTests.said) async throws -> (Desk, Stage) {
        let desk = try await Desk()
        try desk.isIn("click/status")
        let terminal = FirstRunViewTests.terminal(folder, said)
        let stage = Stage(FirstRunWindow(model: desk.model, terminal: terminal))
        _ = stage.draw()
        try await until("looked") { stage.toggle("Cursor") != nil }
        return (desk, stage)
    }

    /// A terminal command that prints its findings and records its arguments in `ran`.
    static func terminal(_ folder: TestFolder, _ said: String = FirstRunTests.said) -> TerminalProgram {
        folder.write("said.json", said)
        folder.write(
            "sallyport",
            """
            #!/bin/sh
            echo "$*" >> '\(folder.path)/ran'
            if [ "$1" = setup ]; then cat '\(folder.path)/said.json'; else echo 'It is done.'; fi
            """, mode: 0o700)
        return TerminalProgram(URL(fileURLWithPath: "\(folder.path)/sallyport"), environment: [:])
    }

    private var ran: [String] {
        let text = (try? String(contentsOfFile: "\(folder.path)/ran", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func testWhatIsTickedIsSavedAndConnected() async throws {
        let (_, stage) = try await opened()
        XCTAssertEqual(ran, ["setup --json"])
        XCTAssertEqual(stage.button("Save")?.isEnabled, false)
        XCTAssertEqual(stage.button("Connect")?.isEnabled, false)
        stage.toggle("shop")?.turn(true)
        XCTAssertEqual(stage.button("Save")?.isEnabled, true)
        XCTAssertEqual(stage.button("Connect")?.isEnabled, false)
        stage.button("Save")?.press()
        try await until("saved") { stage.texts.contains("It is done.") && self.ran.count == 3 }
        XCTAssertEqual(ran[1], "connections import --save postgres  anna@db:5432/shop")
        XCTAssertEqual(ran[2], "setup --json", "looked again")
        stage.toggle("Cursor")?.turn(true)
        stage.button("Connect")?.press()
        try await until("connected") { self.ran.count == 5 }
        XCTAssertEqual(ran[3], "connect cursor --write")
        stage.toggle("Cursor")?.turn(false)
        XCTAssertEqual(stage.button("Connect")?.isEnabled, false)
    }

    func testWhatStartsIsShownAndNothingIsLookedForBefore() async throws {
        let desk = try await Desk()
        let client = try XCTUnwrap(desk.model.client)
        desk.model.linkTold(.lost)
        let stage = Stage(FirstRunWindow(model: desk.model, terminal: FirstRunViewTests.terminal(folder)))
        XCTAssertTrue(stage.texts.contains(LinkState.connecting.headline), "\(stage.texts)")
        XCTAssertNil(stage.button("Start Sallyport"))
        desk.model.send(.link(.untrusted("Nobody proved anything.")))
        XCTAssertTrue(stage.texts.contains("Nobody proved anything."))
        XCTAssertNotNil(stage.button("Start Sallyport"))
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertEqual(ran, [])
        desk.model.linkTold(.connected(client))
        _ = stage.draw()
        try await until("looked") { self.ran == ["setup --json"] }
        XCTAssertFalse(stage.texts.contains(LinkState.connecting.headline))
    }

    func testEachTickedClientIsConnected() async throws {
        let (_, stage) = try await opened(FirstRunTests.saidOfTwo)
        for client in ["Zed", "Cursor"] { stage.toggle(client)?.turn(true) }
        stage.button("Connect")?.press()
        try await until("connected") { self.ran.count == 4 }
        XCTAssertEqual(ran[1...2], ["connect zed --write", "connect cursor --write"])
    }

    func testTheDemoIsMadeAndThePassphraseChosenInTheSheetThereIs() async throws {
        let (desk, stage) = try await opened()
        stage.button("Make the Demo")?.press()
        _ = try await desk.asked("demo.create")
        try await until("said") { stage.texts.contains("“Demo” is saved.") }
        XCTAssertNil(stage.field("New passphrase"))
        stage.button("Choose Passphrase…")?.press()
        stage.field("New passphrase")?.type("correct horse battery")
        stage.field("Verify")?.type("correct horse battery")
        stage.button("Set Passphrase")?.press()
        _ = try await desk.asked("passphrase.set")
    }

    func testItIsAWindowOfItsOwnThatIsRememberedAndCloses() async throws {
        defer { UserDefaults.standard.removeObject(forKey: ShellModel.firstRunKey) }
        UserDefaults.standard.removeObject(forKey: ShellModel.firstRunKey)
        let (desk, _) = try await opened()
        desk.model.send(.chose(.getStarted))
        let window = try XCTUnwrap(NSWindow.shown.first { $0.title == "Get Started" })
        XCTAssertEqual(window.done.suffix(2), ["key", "front"])
        XCTAssertEqual(window.level, .normal, "a question that comes meanwhile stands over it")
        XCTAssertTrue(desk.model.state.presence.windows.contains(.firstRun))
        XCTAssertTrue(UserDefaults.standard.bool(forKey: ShellModel.firstRunKey))
        XCTAssertTrue(ShellModel().state.hasShownFirstRun)
        try desk.ask("k3m9x2pq")
        XCTAssertEqual(NSWindow.shown.last?.title, "Waiting for You", "a question stands in front of it")
        let stage = Stage(try XCTUnwrap(window.shownView))
        stage.press("defaultAction")
        XCTAssertFalse(desk.model.state.presence.windows.contains(.firstRun))
    }
}
