import AppKit
import SwiftUI
import UserNotifications
import XCTest

@testable import Shell
@testable import ShellRules

/// The window of refused requests, from the menu to the answer.
@MainActor
final class RequestsViewTests: XCTestCase {
    private func opened() async throws -> (Desk, Stage) {
        let desk = try await Desk()
        desk.model.send(.chose(.showRequests))
        try await until("listed") { desk.model.state.requests != nil }
        return (desk, Stage(RequestsWindow(model: desk.model)))
    }

    private func list(_ desk: Desk) throws -> RequestList { try XCTUnwrap(desk.model.state.requests) }

    /// Ticked, with its rows counted.
    private func choose(_ title: String, _ desk: Desk, _ stage: Stage) async throws {
        stage.toggle(title)?.turn(true)
        // It is drawn before the count is known, too.
        _ = stage.draw()
        try await until("opened") { desk.model.state.requests?.isOpened == true }
        _ = stage.draw()
    }

    private func check(_ desk: Desk, _ stage: Stage) throws {
        let list = try list(desk)
        stage.check(list.levels + list.choices)
    }

    func testItIsOpenedByThePersonAndLeftWaiting() async throws {
        for way in 0..<3 {
            let (desk, stage) = try await opened()
            let window = try XCTUnwrap(NSWindow.shown.first { $0.title == "Refused Requests" })
            XCTAssertEqual(window.done.suffix(2), ["key", "front"])
            try check(desk, stage)
            switch way {
            case 0: stage.press("defaultAction")
            case 1: stage.press("cancelAction")
            default: window.pressCloseButton()
            }
            XCTAssertNil(desk.model.state.requests)
            XCTAssertFalse(NSWindow.shown.contains { $0.title == "Refused Requests" })
            let isSilent = try await desk.wasSilent("requests.decide")
            XCTAssertTrue(isSilent)
        }
    }

    func testOneIsChosenReadAndRun() async throws {
        let (desk, stage) = try await opened()
        stage.markBottom = 400
        try await choose("1. Größe", desk, stage)
        XCTAssertEqual(try list(desk).chosen.map(\.id), ["rqst2345"])
        try check(desk, stage)
        stage.button("Run It Yourself Now")?.press()
        let isSilent = try await desk.wasSilent("requests.decide")
        XCTAssertTrue(isSilent, "not read to its end")
        stage.markBottom = 60
        _ = stage.draw()
        try check(desk, stage)
        desk.said.use { $0.results["requests.list"] = #"{"requests":[]}"# }
        stage.button("Run It Yourself Now")?.press()
        let asked = try await desk.asked("requests.decide")
        XCTAssertEqual(asked, #"{"answer":"run","ids":["rqst2345"]}"#)
        try await until("said") { desk.model.state.requests?.requests.isEmpty == true }
        XCTAssertTrue(stage.texts.contains("It ran; 3 rows changed. Truncated."), "\(stage.texts)")
        try check(desk, stage)
    }

    func testSeveralAreShownEachWithItsOwn() async throws {
        let (desk, stage) = try await opened()
        stage.markBottom = 60
        try await choose("All of them", desk, stage)
        XCTAssertTrue(try list(desk).areAllChosen)
        let texts = stage.texts
        for text in ["Claude Code\\u{202e}", "Zed", "Editor", "SET n = $1", "Read only, for 8 hours."] {
            XCTAssertTrue(texts.contains(text), text)
        }
        try check(desk, stage)
        stage.button("Allow")?.press()
        let asked = try await desk.asked("requests.decide")
        XCTAssertEqual(asked, #"{"answer":"once","ids":["rqst2345","rqst6789"]}"#)
    }

    func testWhatItTakesIsReadBeforeItIsAllowed() async throws {
        let (desk, stage) = try await opened()
        stage.markBottom = 60
        desk.said.use { $0.errors["requests.open"] = "error.refused" }
        stage.toggle("1. Größe")?.turn(true)
        _ = stage.draw()
        try check(desk, stage)
        XCTAssertEqual(stage.button("Allow Once")?.isEnabled, false, "nobody knows what it takes")
        let asked = try await desk.asked("requests.open")
        XCTAssertEqual(asked, #"{"ids":["rqst2345"]}"#)
        try await until("said") { desk.model.state.requests?.outcome != nil }
        XCTAssertEqual(stage.button("Allow Once")?.isEnabled, false)
        desk.said.use { $0.errors["requests.open"] = nil }
        stage.button("Refresh")?.press()
        try await until("anew") { desk.model.state.requests?.chosen.isEmpty == true }
        try await choose("1. Größe", desk, stage)
        XCTAssertTrue(stage.texts.contains("changes 500 rows of public.größen"), "\(stage.texts)")
        XCTAssertEqual(stage.button("Allow Once")?.isEnabled, true)
        try check(desk, stage)
    }

    func testAStatementMayRunSeveralTimes() async throws {
        let (desk, stage) = try await opened()
        stage.markBottom = 60
        XCTAssertNil(stage.picker("Each may run"))
        try await choose("1. Größe", desk, stage)
        _ = stage.draw()
        XCTAssertEqual(stage.picker("Each may run")?.options.map(\.title), RequestList.timesToChoose.map(RequestList.label))
        stage.picker("Each may run")?.choose(3)
        XCTAssertEqual(stage.picker("Each may run")?.picked, 3)
        try check(desk, stage)
        stage.button("Allow 3 Times")?.press()
        let asked = try await desk.asked("requests.decide")
        XCTAssertEqual(asked, #"{"answer":"once","ids":["rqst2345"],"times":3}"#)
    }

    func testSeveralRequestsInOneConfirmationEachSayTheirOwn() async {
        let facts = ["1 of 2", "2 of 2"].map { Fact.known("Request", $0) }
        let texts = Stage(FactGrid(facts: facts)).texts
        XCTAssertTrue(texts.contains("1 of 2") && texts.contains("2 of 2"), "of one label: \(texts)")
    }

    func testALevelIsConfirmedAsEveryPrivilegeIncrease() async throws {
        let (desk, stage) = try await opened()
        desk.refuse("connections.save", "error.confirm-app")
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
    }

    func testGivenUpItWaitsOn() async throws {
        let (desk, stage) = try await opened()
        desk.refuse("requests.decide", "error.confirm")
        stage.markBottom = 60
        try await choose("1. Größe", desk, stage)
        _ = stage.draw()
        stage.button("Allow Once")?.press()
        try await until("asked") { NSWindow.shown.contains { $0.title == "Owner Passphrase" } }
        try XCTUnwrap(NSWindow.shown.first { $0.title == "Owner Passphrase" }).pressCloseButton()
        try await until("given up") { desk.model.state.requests?.isAnswering == false }
        XCTAssertEqual(try list(desk).requests.count, 2)
        XCTAssertNil(try list(desk).outcome, "who gave up needs no sentence")
        try check(desk, stage)
    }

    func testARefusedAnswerSaysWhy() async throws {
        let (desk, stage) = try await opened()
        desk.refuse("requests.decide", "error.refused")
        try await choose("1. Größe", desk, stage)
        stage.button("Don’t Allow")?.press()
        try await until("said") { desk.model.state.requests?.outcome != nil }
        XCTAssertEqual(try list(desk).requests.count, 2)
        XCTAssertNotNil(stage.button("Refresh"))
    }

    func testOneMoreOpensNoWindow() async throws {
        let desk = try await Desk()
        desk.model.send(.notification(.requestsChanged(waiting: 2)))
        _ = try await desk.asked("requests.list")
        try await Task.sleep(for: .milliseconds(150))
        XCTAssertFalse(NSWindow.shown.contains { $0.title == "Refused Requests" })
        XCTAssertNil(desk.model.state.requests)
    }

    func testNobodyIsToldWhereTheyDoNotWantIt() async throws {
        for isWanted in [true, false] {
            let desk = try await Desk()
            var setting = try XCTUnwrap(Fixtures.read([SettingView].self, "settings").first { $0.key == "requests.notify" })
            setting.value = .boolean(isWanted)
            let said = try JSONText.encode(setting)
            desk.said.use { $0.results["settings.get"] = said }
            desk.model.send(.notification(.requestsChanged(waiting: 2)))
            let asked = try await desk.asked("settings.get")
            XCTAssertEqual(asked, #"{"key":"requests.notify"}"#)
            if isWanted {
                _ = try await desk.asked("requests.list")
            } else {
                let isSilent = try await desk.wasSilent("requests.list")
                XCTAssertTrue(isSilent)
            }
            XCTAssertEqual(desk.model.state.menu.badge, "2", "the menu says it all the same")
        }
    }

    func testWhatNobodyConfirmedIsSaidInAWindow() async throws {
        let desk = try await Desk()
        desk.said.use { $0.unconfirmed = ["resume"] }
        desk.model.send(.chose(.resume))
        try await until("said") {
            NSWindow.shown.compactMap(\.shownView).contains { view in
                Stage(view).texts.contains { $0.hasPrefix("Nobody confirmed that: the owner passphrase is off") }
            }
        }
    }
}
