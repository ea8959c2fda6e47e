import AppKit
import ServiceManagement
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// How the app starts the daemon, by launchd or else as its own child, and what it tells the
/// person.
@MainActor
final class StartingDaemonTests: XCTestCase {
    func testTheAgentIsWhatTheSystemSaysOfIt() async throws {
        SMAppService.named = []
        let agent = LaunchAgent()
        XCTAssertEqual(SMAppService.named, [DaemonStart.agentPlist])
        for (said, state) in [
            (SMAppService.Status.notRegistered, DaemonStart.Agent.notRegistered), (.enabled, .enabled),
            (.requiresApproval, .switchedOff),
            (.notFound, .missing),
        ] {
            SMAppService.now = said
            XCTAssertEqual(agent.state, state)
        }
        SMAppService.done = []
        XCTAssertTrue(agent.register())
        XCTAssertEqual(SMAppService.done, ["register"])
        XCTAssertTrue(agent.register(), "it is registered, whatever was thrown")
        (SMAppService.now, SMAppService.refusals) = (.notRegistered, 1)
        XCTAssertFalse(agent.register())
        SMAppService.now = .notRegistered
        LaunchAgent.openLoginItems()
        XCTAssertEqual(SMAppService.done.last, "open login items")
    }

    func testTheAgentOfAnotherBuildIsRegisteredAnew() async throws {
        defer { SMAppService.now = .notRegistered }
        UserDefaults.standard.removeObject(forKey: "buildWhoseAgentCameUp")
        (SMAppService.now, SMAppService.done) = (.enabled, [])
        let launchctl = try Launchctl()
        let daemon = DaemonControl(agent: LaunchAgent(launchctl: launchctl.place))
        let problem = await daemon.start()
        XCTAssertNil(problem)
        XCTAssertEqual(SMAppService.done, ["unregister", "register"])
        XCTAssertTrue(daemon.isLeftToAgent)
        daemon.cameUp()
        XCTAssertFalse(daemon.isLeftToAgent)
        XCTAssertEqual(UserDefaults.standard.string(forKey: "buildWhoseAgentCameUp"), BundlePlaces().build)
        _ = await daemon.start()
        XCTAssertEqual(SMAppService.done, ["unregister", "register"], "it is of this build")
        XCTAssertEqual(launchctl.asked, DaemonStart.launchctl("kickstart", user: getuid()).joined(separator: " ") + "\n")
        XCTAssertTrue(daemon.isLeftToAgent)
        XCTAssertNotNil(daemon.fallBack(), "there is no daemon here that a child could be")
        XCTAssertNil(UserDefaults.standard.string(forKey: "buildWhoseAgentCameUp"), "and what was registered is no good one")
    }

    func testAnAgentThatLaunchdDoesNotKnowIsRegisteredAnew() async throws {
        defer { SMAppService.now = .notRegistered }
        UserDefaults.standard.set(BundlePlaces().build, forKey: "buildWhoseAgentCameUp")
        defer { UserDefaults.standard.removeObject(forKey: "buildWhoseAgentCameUp") }
        (SMAppService.now, SMAppService.done) = (.enabled, [])
        let daemon = DaemonControl(agent: LaunchAgent(launchctl: try Launchctl(status: 113).place))
        let problem = await daemon.start()
        XCTAssertNil(problem)
        XCTAssertEqual(SMAppService.done, ["unregister", "register"])
        XCTAssertTrue(daemon.isLeftToAgent)
    }

    func testARegistrationRefusedForAMomentIsTriedAgain() async throws {
        defer { (SMAppService.now, SMAppService.refusals) = (.notRegistered, 0) }
        let patience = Patience()
        patience.end()
        let agent = LaunchAgent(sleep: patience.sleep)
        (SMAppService.now, SMAppService.done, SMAppService.refusals) = (.enabled, [], 3)
        let isRegistered = await agent.registerAnew()
        XCTAssertTrue(isRegistered)
        XCTAssertEqual(SMAppService.done, ["unregister", "register", "register", "register", "register"])
        XCTAssertEqual(patience.asked, Array(repeating: DaemonStart.secondsBetweenRegistrations, count: 3))
        (SMAppService.now, SMAppService.done, SMAppService.refusals) = (.enabled, [], .max)
        let isRefused = await agent.registerAnew()
        XCTAssertFalse(isRefused)
        XCTAssertEqual(SMAppService.done.count, 1 + DaemonStart.mostRegistrations, "not for ever")
    }

    func testTheDaemonAsAChildIsStartedOnceKnowsLittleAndEndsWithTheApp() async throws {
        let program = try PlacedDaemon()
        setenv("SOMEBODYS_TOKEN", "s3cret", 1)
        defer { unsetenv("SOMEBODYS_TOKEN") }
        (SMAppService.now, SMAppService.refusals) = (.requiresApproval, .max)
        defer { (SMAppService.now, SMAppService.refusals) = (.notRegistered, 0) }
        let patience = Patience()
        patience.end()
        let model = patience.model()
        for _ in 0..<2 { await model.startDaemon() }
        XCTAssertEqual(patience.asked, [], "launchd is not waited for")
        try await until("it runs") { program.wrote(".env").contains("PATH=") }
        XCTAssertFalse(program.wrote(".env").contains("s3cret"), "what the app was started with is none of its business")
        XCTAssertEqual(program.ids.count, 1)
        await model.stop()
        try await until("it has ended") { kill(program.ids[0], 0) != 0 }
    }

    func testWhereLaunchdsDaemonDoesNotComeUpTheChildRunsAndThePersonIsTold() async throws {
        let (desk, program, patience) = (try await Desk(), try PlacedDaemon(), Patience())
        defer { SMAppService.now = .notRegistered }
        let model = patience.model()
        model.send(.link(.absent))
        try await until("launchd was given its time") { patience.asked == [40] }
        XCTAssertTrue(model.daemon.isLeftToAgent)
        XCTAssertEqual(program.ids, [], "not before")
        XCTAssertEqual(NSWindow.told, [])
        patience.end()
        try await until("it runs") { program.ids.count == 1 }
        try await until("noted") { model.state.shownNotes == [DaemonStart.fellBackSentence] }
        XCTAssertEqual(NSWindow.told, [], "no window opens unasked")
        model.linkTold(.connected(try XCTUnwrap(desk.model.client)))
        XCTAssertNil(
            UserDefaults.standard.string(forKey: "buildWhoseAgentCameUp"), "that the child came up is no word for the agent")
        await model.stop()
        try await until("it has ended") { kill(program.ids[0], 0) != 0 }
    }

    func testADaemonThatLaunchdStillStartsIsGivenMoreTimeButNotForEver() async throws {
        let (program, patience) = (try PlacedDaemon(), Patience())
        defer { SMAppService.now = .notRegistered }
        patience.end()
        let launchctl = try Launchctl(prints: "\tstate = spawn scheduled\n\tlast exit code = (never exited)\n")
        let model = ShellModel(daemon: DaemonControl(agent: LaunchAgent(launchctl: launchctl.place, sleep: patience.sleep)))
        SMAppService.now = .notRegistered
        await model.startDaemon()
        XCTAssertEqual(patience.asked, [40, 40, 40])
        XCTAssertEqual(
            launchctl.asked,
            String(repeating: DaemonStart.launchctl("print", user: getuid()).joined(separator: " ") + "\n", count: 2))
        try await until("it runs") { program.ids.count == 1 }
        XCTAssertEqual(model.state.shownNotes, [DaemonStart.fellBackSentence])
        await model.stop()
        try await until("it has ended") { kill(program.ids[0], 0) != 0 }
    }

    func testABuildWhoseAgentHasComeUpIsWaitedForAsBefore() async throws {
        defer { SMAppService.now = .notRegistered }
        UserDefaults.standard.set(BundlePlaces().build, forKey: "buildWhoseAgentCameUp")
        defer { UserDefaults.standard.removeObject(forKey: "buildWhoseAgentCameUp") }
        (SMAppService.now, SMAppService.done) = (.enabled, [])
        let patience = Patience()
        patience.end()
        let daemon = DaemonControl(agent: LaunchAgent(launchctl: try Launchctl().place, sleep: patience.sleep))
        _ = await daemon.start()
        _ = await daemon.waitForAgent()
        XCTAssertEqual(patience.asked, [10])
    }

    func testWhereNeitherCanBeStartedThePersonIsTold() async throws {
        defer { (SMAppService.now, SMAppService.refusals) = (.notRegistered, 0) }
        let patience = Patience()
        patience.end()
        for refusals in [0, 1] {
            (SMAppService.now, SMAppService.refusals) = (.notRegistered, refusals)
            for window in NSWindow.shown { window.close() }
            await patience.model().startDaemon()
            XCTAssertEqual(NSWindow.told.count, 1)
            XCTAssertTrue(NSWindow.told.allSatisfy { $0.hasPrefix(DaemonStart.failedSentence("")) }, "\(NSWindow.told)")
        }
        XCTAssertEqual(patience.asked, [40], "what launchd refused is not waited for")
    }

    func testWhereADaemonAnswersInTimeNothingIsToldAndNoChildStarted() async throws {
        let (desk, program) = (try await Desk(), try PlacedDaemon())
        defer { SMAppService.now = .notRegistered }
        let client = try XCTUnwrap(desk.model.client)
        // The last daemon came up and was stopped later. Somebody wanted that.
        let answers: [[DaemonLink.Event]] = [
            [.connected(client)], [.untrusted("It is another’s.")], [.denied], [.connected(client), .lost],
        ]
        for events in answers {
            (SMAppService.now, SMAppService.done) = (.notRegistered, [])
            let patience = Patience()
            let model = patience.model()
            let starting = Task { await model.startDaemon() }
            try await until("launchd was given its time") { patience.asked.count == 1 }
            for event in events { model.linkTold(event) }
            patience.end()
            await starting.value
            XCTAssertEqual(NSWindow.told, [])
            XCTAssertEqual(SMAppService.done, ["register"])
            // A child would have started before the sentence came, but its output takes a moment.
            try await Task.sleep(for: .milliseconds(100))
            XCTAssertEqual(program.ids, [], "\(events)")
        }
    }
}

/// A program at the daemon's place in the bundle. It says that it runs, and stays.
@MainActor
private final class PlacedDaemon {
    private let place = BundlePlaces().daemon
    private nonisolated let folder: URL

    init() throws {
        let programs = place.deletingLastPathComponent()
        folder = programs.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        try Data("#!/bin/sh\necho $$ >>\"$0.ids\"\nenv >\"$0.env\"\nexec sleep 60\n".utf8).write(to: place)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func wrote(_ ending: String) -> String { (try? String(contentsOfFile: place.path + ending, encoding: .utf8)) ?? "" }
    var ids: [pid_t] { wrote(".ids").split(separator: "\n").compactMap { pid_t($0) } }
}

/// The time that launchd has. It ends when the test says so.
@MainActor
private final class Patience {
    private nonisolated let seconds = Locked<[Double]>([])
    private nonisolated let isOver = Locked(false)

    var sleep: @Sendable (Double) async throws -> Void {
        { [seconds, isOver] wanted in
            seconds.use { $0.append(wanted) }
            while !isOver.use({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    func model() -> ShellModel { ShellModel(daemon: DaemonControl(agent: LaunchAgent(sleep: sleep))) }

    var asked: [Double] { seconds.use { $0 } }
    func end() { isOver.use { $0 = true } }
}

/// Replaces launchd's own service and records its calls.
@MainActor
private final class Launchctl {
    let place: URL
    private let folder = TestFolder()

    init(status: Int = 0, prints: String = "") throws {
        place = URL(fileURLWithPath: "\(folder.path)/launchctl")
        try Data("#!/bin/sh\necho \"$@\" >>\"$0.asked\"\nprintf '\(prints)'\nexit \(status)\n".utf8).write(to: place)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
    }

    var asked: String { (try? String(contentsOfFile: place.path + ".asked", encoding: .utf8)) ?? "" }
}

extension NSWindow {
    /// The text of the open notice.
    @MainActor fileprivate static var told: [String] {
        shown.filter { $0.title == "Sallyport" }.compactMap(\.shownView).flatMap { Stage($0).texts }
    }
}
