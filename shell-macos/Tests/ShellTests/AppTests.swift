import AppKit
import Carbon
import Security
import SwiftUI
import UserNotifications
import XCTest

@testable import Shell
@testable import ShellRules

/// AppKit's calls to the app, and the app's calls to AppKit.
@MainActor
final class AppTests: XCTestCase {
    private let noticeHeight = Int(WindowSize.notice(DeepLink.unknownSentence).height)
    private let unknown = "sallyport://integrations/nothing"

    func testLinksOfTheLaunchAndLaterOnesAreOpened() async throws {
        for window in NSWindow.shown { window.close() }
        let delegate = AppDelegate()
        let link = try XCTUnwrap(URL(string: unknown))
        delegate.application(.shared, open: [link])
        XCTAssertTrue(NSWindow.shown.isEmpty, "not before the launch is finished")
        delegate.applicationWillFinishLaunching(Notification(name: .init("will")))
        XCTAssertEqual(NSApplication.one.activationPolicy(), .accessory)
        XCTAssertTrue(delegate.model.notices.hasListened, "a click on a notification may be what launches the app")
        XCTAssertTrue(
            UNUserNotificationCenter.one.delegate == nil || UNUserNotificationCenter.one.delegate === delegate.model.notices)
        delegate.applicationDidFinishLaunching(Notification(name: .init("did")))
        // Else its daemon, which is nowhere, is told of in a later test.
        defer { delegate.model.linkTold(.denied) }
        XCTAssertEqual(NSWindow.shown.map(\.title), ["Sallyport"], "the link of the launch was answered")
        XCTAssertEqual(
            NSWindow.shown.first?.done, ["size 380 \(noticeHeight)", "center", "key", "front"],
            "in front, should the keys be declined")
        XCTAssertTrue(NSApplication.one.done.contains("activate"))
        XCTAssertTrue(NSWindow.shown.allSatisfy { !($0 is NSPanel) && $0.collectionBehavior.contains(.moveToActiveSpace) })
        let notice = Stage(try XCTUnwrap(NSWindow.shown.first?.shownView))
        XCTAssertEqual(notice.texts, [DeepLink.unknownSentence])
        notice.press("defaultAction")
        XCTAssertTrue(NSWindow.shown.isEmpty)
        delegate.application(.shared, open: [link])
        XCTAssertEqual(NSWindow.shown.map(\.title), ["Sallyport"], "a later link")
        NSWindow.shown.first?.pressCloseButton()
        XCTAssertFalse(delegate.model.state.presence.windows.contains(.notice))
        NSApplication.one.done = []
        delegate.application(.shared, open: [link, link])
        XCTAssertEqual(NSApplication.one.done.filter { $0 == "activate" }.count, 2, "each of several")
        NSWindow.shown.first?.pressCloseButton()
        XCTAssertFalse(delegate.applicationShouldTerminateAfterLastWindowClosed(.shared))
    }

    func testQuittingIsAnsweredOnceTheDaemonWasAsked() async throws {
        NSAlert.shown = []
        let desk = try await Desk()
        try desk.answer("click/no-clients")
        let delegate = AppDelegate()
        delegate.model.client = desk.model.client
        NSApplication.one.done = []
        XCTAssertEqual(delegate.applicationShouldTerminate(.shared), .terminateLater)
        try await until("answered") { NSApplication.one.done.contains("reply true") }
        XCTAssertTrue(desk.asked.contains { $0.method == "stop" })
        XCTAssertEqual(NSAlert.shown, [], "no client is connected")
        desk.model.send(.chose(.quit))
        XCTAssertTrue(NSApplication.one.done.contains("terminate"))
    }

    func testQuittingUnderConnectedClientsIsAskedAboutUnlessTheSessionEnds() async throws {
        let desk = try await Desk()
        let delegate = AppDelegate()
        delegate.model.client = desk.model.client
        defer { (NSAlert.pressed, NSAppleEventManager.one.handled) = (0, nil) }
        for (pressed, reply) in [(1, "reply false"), (0, "reply true")] {
            (NSAlert.shown, NSAlert.pressed, NSApplication.one.done) = ([], pressed, [])
            desk.forget()
            XCTAssertEqual(delegate.applicationShouldTerminate(.shared), .terminateLater)
            try await until(reply) { NSApplication.one.done.contains(reply) }
            XCTAssertEqual(NSAlert.shown.map { [$0[0]] + $0.dropFirst(2) }, [["Quit Sallyport?", "Quit", "Cancel"]])
            XCTAssertTrue(NSApplication.one.done.contains("activate"), "it stands in front")
            XCTAssertEqual(desk.asked.contains { $0.method == "stop" }, pressed == 0)
        }
        (NSAlert.shown, NSAlert.pressed, NSApplication.one.done) = ([], 1, [])
        let logOut = NSAppleEventDescriptor()
        logOut.parts = [AEKeyword(kAEQuitReason): NSAppleEventDescriptor()]
        NSAppleEventManager.one.handled = logOut
        _ = delegate.applicationShouldTerminate(.shared)
        try await until("answered") { NSApplication.one.done.contains("reply true") }
        XCTAssertEqual(NSAlert.shown, [], "nobody keeps a Mac from shutting down")
    }

    func testLaunchedAtLoginItOpensNothing() async throws {
        for window in NSWindow.shown { window.close() }
        let (launch, why) = (NSAppleEventDescriptor(), NSAppleEventDescriptor())
        launch.code = AEEventID(kAEOpenApplication)
        why.code = OSType(keyAELaunchedAsLogInItem)
        launch.parts = [AEKeyword(keyAEPropData): why]
        NSAppleEventManager.one.handled = launch
        defer { NSAppleEventManager.one.handled = nil }
        let delegate = AppDelegate()
        delegate.applicationWillFinishLaunching(Notification(name: .init("will")))
        delegate.applicationDidFinishLaunching(Notification(name: .init("did")))
        // Else its daemon, which is nowhere, is told of in a later test.
        defer { delegate.model.linkTold(.denied) }
        try await Task.sleep(for: .milliseconds(400))
        XCTAssertEqual(NSWindow.shown, [])
        XCTAssertEqual(NSApplication.one.activationPolicy(), .accessory)
        XCTAssertEqual(delegate.model.state.presence.shown, .init(dock: false, menuBar: true))
    }

    func testAQuestionIsToldOfWhileItsWindowIsNotInSight() async throws {
        let desk = try await Desk()
        let notices = Notices(areThere: true)
        notices.isNews = desk.model.notices.isNews
        try desk.ask("k3m9x2pq")
        let window = try desk.window()
        let id = try desk.card().id
        func posts() async throws -> Bool {
            UNUserNotificationCenter.one.posted = []
            notices.give(.post(id: id, title: "A client waits", body: "for you"))
            try await Task.sleep(for: .milliseconds(700))
            return !UNUserNotificationCenter.one.posted.isEmpty
        }
        var isPosted = try await posts()
        XCTAssertFalse(isPosted, "it is in sight")
        for (isHere, isCovered) in [(false, false), (true, true)] {
            (window.isHere, window.isCovered) = (isHere, isCovered)
            isPosted = try await posts()
            XCTAssertTrue(isPosted, "\(isHere) \(isCovered)")
            window.delegate?.windowDidChangeOcclusionState(Notification(name: .init("seen")))
        }
        let answered = Locked(false)
        UNUserNotificationCenter.one.answers = {
            while !answered.use({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
            return true
        }
        defer { UNUserNotificationCenter.one.answers = { true } }
        UNUserNotificationCenter.one.posted = []
        notices.give(.post(id: id, title: "A client waits", body: "for you"))
        try await Task.sleep(for: .milliseconds(500))
        desk.model.linkTold(.lost)
        answered.use { $0 = true }
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertTrue(UNUserNotificationCenter.one.posted.isEmpty, "let too late: nothing waits any more")
    }

    func testAWindowIsSeenOnceItIsInSight() async throws {
        let kept = KeptWindow(EmptyView(), title: "Anything", size: NSSize(width: 100, height: 100))
        var seen = 0
        kept.onSeen = { seen += 1 }
        kept.comeToFront()
        let window = try XCTUnwrap(NSWindow.shown.last)
        defer { window.close() }
        for (isHere, isCovered, isSeen) in [(true, true, 0), (false, false, 0), (true, false, 1)] {
            (window.isHere, window.isCovered) = (isHere, isCovered)
            window.delegate?.windowDidChangeOcclusionState(Notification(name: .init("seen")))
            XCTAssertEqual(seen, isSeen, "\(isHere) \(isCovered)")
        }
    }

    func testHowItsDaemonRunsIsSaidAfterItCameUpToo() async throws {
        let desk = try await Desk()
        let client = try XCTUnwrap(desk.model.client)
        for (note, isLeft) in [(DaemonStart.slowNote, false), (DaemonStart.fellBackSentence, true)] {
            desk.model.send(.started(note: note))
            desk.model.linkTold(.connected(client))
            XCTAssertEqual(desk.model.state.shownNotes.contains(note), isLeft, note)
        }
    }

    func testADaemonFromBeforeAnUpdateIsStoppedOnceNobodyUsesIt() async throws {
        let desk = try await Desk()
        desk.model.perform(.restartWhenIdle)
        let isLeft = try await desk.wasSilent("stop")
        XCTAssertTrue(isLeft, "it is of the app's own version")
        let used = await StoppingDaemon.isUsed(desk.model.client)
        XCTAssertTrue(used)
        try desk.answer("click/no-clients")
        let isUsed = await StoppingDaemon.isUsed(desk.model.client)
        XCTAssertFalse(isUsed)
        let (model, client) = (ShellModel(version: "9.0.0"), try XCTUnwrap(desk.model.client))
        desk.said.use { $0.answers["clients.list"] = nil }
        model.linkTold(.connected(client))
        try await until("noted") { model.state.shownNotes.contains(ShellState.oldDaemonNote) }
        let isKept = try await desk.wasSilent("stop")
        XCTAssertTrue(isKept, "clients are connected")
        try desk.answer("click/no-clients")
        model.linkTold(.lost)
        model.linkTold(.connected(client))
        _ = try await desk.asked("stop")
        model.linkTold(.lost)
        XCTAssertTrue(model.state.mayStartDaemon, "its own takes its place")
    }

    func testAQuestionComesInFrontWithoutTheKeysAndIsToldOf() async throws {
        let desk = try await Desk()
        try desk.ask("k3m9x2pq")
        let window = try desk.window()
        XCTAssertEqual(window.done, ["size 900 600", "center", "front"])
        XCTAssertTrue(window.styleMask.contains(.resizable))
        XCTAssertFalse(window.isRestorable)
        XCTAssertFalse(window.isReleasedWhenClosed)
        XCTAssertEqual(window.level, .floating)
        XCTAssertEqual(
            window.collectionBehavior, [.canJoinAllSpaces, .fullScreenAuxiliary], "beside an editor that fills the screen")
        XCTAssertTrue(window is NSPanel && window.styleMask.contains(.nonactivatingPanel))
        XCTAssertFalse(window.hidesOnDeactivate, "another app is the active one")
        XCTAssertTrue(window.styleMask.isSuperset(of: [.titled, .closable]))
        XCTAssertTrue(NSApplication.one.done.contains("attention"))
        XCTAssertFalse(NSApplication.one.done.contains("activate"))
        XCTAssertEqual(NSApplication.one.activationPolicy(), .regular)
        let id = try desk.card().id
        window.pressCloseButton()
        let asked = try await desk.asked("desk.decide")
        XCTAssertEqual(asked, #"{"answer":"no","ids":["\#(id)"]} confirmed app"#, "closing is a no")
        try await until("closed") { !NSWindow.shown.contains { $0 === window } }
        XCTAssertFalse(desk.model.state.presence.windows.contains(.desk))
    }

    func testAClickedNoticeBringsItsQuestionToTheFront() async throws {
        let desk = try await Desk()
        try desk.ask("k3m9x2pq")
        let window = try desk.window()
        let id = try desk.card().id
        let before = window.done.count
        desk.model.notices.onClicked(id)
        XCTAssertEqual(window.done.dropFirst(before), ["key", "front"], "the person wants it")
    }

    func testAWindowThatComesToTheFrontIsDeafAgain() async throws {
        let desk = try await Desk()
        try desk.ask("k3m9x2pq")
        try await desk.wait()
        XCTAssertFalse(try desk.card().deciding.isDeaf(at: .now))
        desk.model.send(.chose(.showDesk))
        XCTAssertTrue(try desk.card().deciding.isDeaf(at: .now))
    }

    func testOneFailureIsToldInAWindow() async throws {
        let desk = try await Desk()
        try desk.refuse("click/pause-fails")
        desk.model.send(.chose(.pause))
        try await until("told") { NSWindow.shown.contains { $0.title == "Sallyport" } }
        XCTAssertTrue(NSApplication.one.done.contains("activate"))
    }

    func testThePasteboardMarksASecret() async throws {
        Pasteboard.copy("sp_secret", isSecret: true)
        XCTAssertEqual(NSPasteboard.one.held, ["string": "sp_secret", "org.nspasteboard.ConcealedType": ""])
        Pasteboard.copy("an address", isSecret: false)
        XCTAssertEqual(NSPasteboard.one.held, ["string": "an address"])
    }

    func testTheKeychainIsAskedForOneItemOfOurs() async {
        (Keychained.asked, Keychained.item, Keychained.status) = ([], Data("s3cret".utf8) as AnyObject, 0)
        let found = await Keychain.item(account: "shell")
        XCTAssertEqual(found, .found("s3cret"))
        let query = Keychained.asked.last ?? [:]
        XCTAssertEqual(query["kSecAttrService"] as? String, ShellSecret.keychainService)
        XCTAssertEqual(query["kSecAttrAccount"] as? String, "shell")
        XCTAssertEqual(query["kSecClass"] as? String, "kSecClassGenericPassword")
        XCTAssertEqual(query["kSecReturnData"] as? Bool, true)
        for denied in [Int32(-128), -25293] {
            Keychained.status = denied
            let refused = await Keychain.item(account: "shell")
            XCTAssertEqual(refused, .denied)
        }
        Keychained.status = -25300
        let none = await Keychain.item(account: "shell")
        XCTAssertEqual(none, .unusable("the status -25300"))
    }

    func testTheAppThatOpensAnAddressIsNamed() async throws {
        NSWorkspace.one.handlers = ["myapp": URL(fileURLWithPath: "/Applications/My App.app")]
        XCTAssertEqual(LinkHandlers.handler(of: "myapp")?.scheme, "myapp")
        XCTAssertEqual(LinkHandlers.handler(of: "myapp")?.app, "My App.app")
        XCTAssertNil(LinkHandlers.handler(of: "other"))
    }

    func testTheDaemonHearsWhichAppTakesThePairingsCode() async throws {
        NSWorkspace.one.handlers = ["myapp": URL(fileURLWithPath: "/Applications/My App.app")]
        defer { NSWorkspace.one.handlers = [:] }
        let desk = try await Desk()
        desk.model.send(.opened(address: "sallyport://integrations/pair?client=x&redirect=myapp%3A%2F%2Fcallback"))
        let asked = try await desk.asked("pairing.begin")
        XCTAssertTrue(asked.contains(#""handler":{"app":"My App.app","scheme":"myapp"}"#), asked)
    }

    func testAQuestionIsSpokenAndAKeyBringsItFromAnyApp() async throws {
        (NSAccessibility.said, HotKeys.registered) = ([], [])
        let desk = try await Desk()
        XCTAssertEqual(HotKeys.registered, [], "nothing waits")
        try desk.ask("k3m9x2pq")
        let spoken = desk.model.state.desk.spoken
        XCTAssertEqual(NSAccessibility.said, [spoken])
        XCTAssertTrue(spoken.hasPrefix(try desk.card().title) && spoken.contains("Größe 数据"), spoken)
        XCTAssertFalse(spoken.contains("DELETE"), "others may hear it")
        XCTAssertEqual(HotKeys.registered, [[16, 6400]])
        let window = try desk.window()
        window.done = []
        XCTAssertEqual(HotKeys.handler?(nil, nil, nil), 0)
        XCTAssertEqual(window.done, ["key", "front"])
        XCTAssertEqual(NSAccessibility.said, [spoken], "who brings it need not be told")
        desk.end("k3m9x2pq")
        XCTAssertEqual(HotKeys.registered, [], "the keys are any app's again")
    }

    func testAnAddressIsOpenedOnlyWithTheAppThatTheSheetHasNamed() async throws {
        NSWorkspace.one.handlers = ["myapp": URL(fileURLWithPath: "/Applications/Other.app")]
        NSWorkspace.one.opened = []
        XCTAssertFalse(LinkHandlers.open("myapp://cb?code=x", takenBy: "My App.app"))
        XCTAssertEqual(NSWorkspace.one.opened, [])
        NSWorkspace.one.handlers = ["myapp": URL(fileURLWithPath: "/Applications/My App.app")]
        XCTAssertTrue(LinkHandlers.open("myapp://cb?code=x", takenBy: "My App.app"))
        XCTAssertTrue(LinkHandlers.open("http://127.0.0.1:1/", takenBy: nil))
        XCTAssertEqual(NSWorkspace.one.opened.map(\.scheme), ["myapp", "http"])
    }

    func testAPathIsChosen() async throws {
        NSSavePanel.chosen = URL(fileURLWithPath: "/tmp/demo.db")
        var path = ""
        let stage = Stage(PathField(title: "Path", text: Binding(get: { path }, set: { path = $0 }), prompt: Text("Optional")))
        stage.button("Choose…")?.press()
        XCTAssertEqual(path, "/tmp/demo.db")
        NSSavePanel.chosen = nil
        stage.button("Choose…")?.press()
        XCTAssertEqual(path, "/tmp/demo.db")
    }

    func testWhatOtherShellsAskCountsAsAWindowAndInTheBadge() async throws {
        let desk = try await Desk()
        try desk.ask("m4n8c2vb")
        XCTAssertTrue(desk.model.state.presence.windows.contains(.desk))
        XCTAssertEqual(desk.model.state.menu.badge, "1")
        let window = try desk.window()
        XCTAssertEqual(window.done.last, "front", "it takes no keys")
        window.done = []
        desk.model.send(.chose(.showDesk))
        XCTAssertEqual(window.done, ["key", "front"], "the menu brings it")
        desk.end("m4n8c2vb")
        Stage(DeskWindow(model: desk.model)).button("Close")?.press()
        XCTAssertFalse(desk.model.state.presence.windows.contains(.desk))
        XCTAssertNil(desk.model.state.menu.badge)
    }

    func testAPromptCountsAsAWindow() async throws {
        let desk = try await Desk()
        try desk.refuse("click/resume")
        desk.model.send(.chose(.resume))
        try await until("asked") { desk.model.state.presence.windows.contains(.prompt) }
        NSWindow.shown.last?.pressCloseButton()
        try await until("gone") { !desk.model.state.presence.windows.contains(.prompt) }
    }

    func testADeniedKeychainIsAskedAgainByThePersonAlone() async throws {
        let model = ShellModel()
        model.send(.link(.denied))
        let stage = Stage(ServerSection(model: model))
        XCTAssertTrue(stage.texts.contains(LinkState.denied.headline))
        XCTAssertEqual(stage.texts.filter { $0 == LinkState.denied.sentence }.count, 1, "said once")
        XCTAssertNotNil(stage.button("Try Again"))
        XCTAssertTrue(model.state.menu.items.contains(.button(.startDaemon, "Try Again")))
    }

    func testANoticeIsPostedClickedAndTakenBack() async throws {
        UNUserNotificationCenter.one.posted = []
        let notices = Notices(areThere: true)
        notices.give(.post(id: "k3m9x2pq", title: "A client waits", body: "for you"))
        try await until("posted") { UNUserNotificationCenter.one.posted.map(\.identifier) == ["k3m9x2pq"] }
        let content = UNUserNotificationCenter.one.posted[0].content as? UNMutableNotificationContent
        XCTAssertEqual([content?.title, content?.body], ["A client waits", "for you"])
        var clicked: [String] = []
        notices.onClicked = { clicked.append($0) }
        let response = UNNotificationResponse()
        response.shown.asked = UNUserNotificationCenter.one.posted[0]
        notices.userNotificationCenter(.current(), didReceive: response) {}
        try await until("clicked") { clicked == ["k3m9x2pq"] }
        notices.give(.withdraw(id: "k3m9x2pq"))
        XCTAssertTrue(UNUserNotificationCenter.one.posted.isEmpty)
    }

    func testALinkThatCameBeforeTheDaemonIsAnsweredOnceItIsThere() async throws {
        let desk = try await Desk()
        let model = ShellModel()
        model.send(.opened(address: "sallyport://integrations/pair?client=x&redirect=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback"))
        let client = try XCTUnwrap(desk.model.client)
        model.client = client
        model.send(.link(.connected(client)))
        _ = try await desk.asked("pairing.begin")
    }

    func testLaunchedByHandItShowsGetStartedOnceAndThenSettings() async throws {
        UserDefaults.standard.removeObject(forKey: ShellModel.firstRunKey)
        defer { UserDefaults.standard.removeObject(forKey: ShellModel.firstRunKey) }
        for window in NSWindow.shown { window.close() }
        NSApplication.one.done = []
        let delegate = AppDelegate()
        delegate.applicationDidFinishLaunching(Notification(name: .init("did")))
        // Else its daemon, which is nowhere, is told of in a later test.
        defer { delegate.model.linkTold(.denied) }
        XCTAssertEqual(NSWindow.shown, [], "not while it launches: its menus would be dead")
        try await until("shown") { NSWindow.shown.map(\.title) == ["Get Started"] }
        XCTAssertEqual(
            NSApplication.one.done.filter { ["hide", "unhide", "activate"].contains($0) }, ["hide", "unhide", "activate"])
        XCTAssertEqual(NSApplication.one.activationPolicy(), .regular)
        NSWindow.shown.first?.close()
        let second = AppDelegate()
        second.applicationDidFinishLaunching(Notification(name: .init("did")))
        // Else its daemon, which is nowhere, is told of in a later test.
        defer { second.model.linkTold(.denied) }
        try await until("shown") { NSWindow.shown.map(\.title) == ["Connections"] }
        NSWindow.shown.first?.close()
    }

    func testWithoutItsConnectionItAsksNobody() async throws {
        let desk = try await Desk()
        desk.model.linkTold(.lost)
        XCTAssertNil(desk.model.client)
    }

    func testInTheMenuBarAloneItIsNotInTheDock() async {
        AppPresence.apply(Presence.Shown(dock: false, menuBar: true))
        XCTAssertEqual(NSApplication.one.activationPolicy(), .accessory)
        AppPresence.apply(Presence.Shown(dock: true, menuBar: false))
        XCTAssertEqual(NSApplication.one.activationPolicy(), .regular)
    }

    func testOneNoticeStandsWithTheLastSentence() async throws {
        let model = ShellModel()
        model.windows.tell("The first.")
        model.windows.tell("The second.")
        let notices = NSWindow.shown.filter { $0.title == "Sallyport" }
        XCTAssertEqual(try notices.map { Stage(try XCTUnwrap($0.shownView)).texts }.last, ["The second."])
        for window in notices { window.close() }
    }

    func testOpenedAgainItIsThePersonsOwn() async throws {
        let delegate = AppDelegate()
        XCTAssertFalse(delegate.model.state.presence.wasOpenedByHand)
        XCTAssertTrue(delegate.applicationShouldHandleReopen(.shared, hasVisibleWindows: false))
        XCTAssertTrue(delegate.model.state.presence.wasOpenedByHand)
    }
}
