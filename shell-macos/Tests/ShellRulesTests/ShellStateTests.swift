import Foundation
import XCTest

@testable import ShellRules

/// The whole app as one value: how each event changes it, and which effects follow.
final class ShellStateTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)
    private let link = "sallyport://integrations/pair?client=x&redirect=myapp%3A%2F%2Fcallback"

    private func connected(_ start: Presence.Start = .byHand) throws -> ShellState {
        var state = ShellState(start: start)
        state.link = .connected
        let status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        _ = state.handle(.status(status), at: now)
        return state
    }

    private func asked() throws -> ControlNotification {
        .deskChanged(DeskChange(waiting: 1, asked: try Fixtures.ask("k3m9x2pq"), ended: nil))
    }

    private func pairing() throws -> AskView { try Fixtures.ask("t5y7w3kd") }

    func testAQuestionIsShownAndToldOfWhereNoWindowIsOpen() throws {
        var state = try connected(.byLink)
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: false))
        let effects = state.handle(.notification(try asked()), at: now)
        XCTAssertEqual(effects.last, .showUnasked)
        guard case .notice(.post(let id, _, let body))? = effects.first else { return XCTFail("nobody told") }
        XCTAssertEqual(id, "k3m9x2pq")
        XCTAssertFalse(body.contains("DELETE FROM"), "no statement on a lock screen")
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: true))
        XCTAssertEqual(state.menu.badge, "1")
        XCTAssertEqual(state.menu.icon, .asking)
    }

    func testAnotherWindowThatIsOpenKeepsNoQuestionBack() throws {
        var state = try connected()
        _ = state.handle(.presence(.opened(.settings)), at: now)
        let effects = state.handle(.notification(try asked()), at: now)
        XCTAssertEqual(effects.last, .showUnasked)
        XCTAssertEqual(effects.count, 2, "it may be on another space")
    }

    func testAnAnsweredQuestionTakesItsNoticeAndWindowWithIt() throws {
        var state = try connected(.byLink)
        _ = state.handle(.notification(try asked()), at: now)
        _ = state.handle(.presence(.opened(.desk)), at: now)
        let no = Command.DeskDecide(ids: ["k3m9x2pq"], answer: .no)
        XCTAssertEqual(
            state.handle(.sheet(id: "k3m9x2pq", .pressed(.no)), at: now), [.sheet(id: "k3m9x2pq", .decide(no))])
        XCTAssertEqual(
            state.handle(.sheet(id: "k3m9x2pq", .answered(Fixtures.decision(["k3m9x2pq"], .no))), at: now),
            [.notice(.withdraw(id: "k3m9x2pq")), .closeWindow(.desk)])
        _ = state.handle(.presence(.closed(.desk)), at: now)
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: false), "as it was before")
    }

    func testAPairingLinkIsBegunWhenThereIsADaemon() throws {
        var state = ShellState(start: .byLink)
        XCTAssertEqual(state.handle(.opened(address: link), at: now), [])
        XCTAssertEqual(state.handle(.link(.absent), at: now), [.startDaemon])
        XCTAssertEqual(state.handle(.link(.absent), at: now), [], "started once")
        state.link = .connected
        XCTAssertEqual(state.waitingLinks, [link])
        var many = ShellState(start: .byLink)
        for _ in 0..<300 { _ = many.handle(.opened(address: link), at: now) }
        XCTAssertEqual(many.waitingLinks.count, 3, "the daemon lets no more wait")
        XCTAssertEqual(state.handle(.opened(address: link), at: now), [.beginPairing(link: link, redirectScheme: "myapp")])
        XCTAssertEqual(state.handle(.pairingBegun(try pairing()), at: now), [.showWindow(.desk)])
        let close = Command.DeskDecide(ids: ["t5y7w3kd"], answer: .close)
        XCTAssertEqual(
            state.handle(.sheet(id: "t5y7w3kd", .closed), at: now),
            [.sheet(id: "t5y7w3kd", .decide(close)), .closeWindow(.desk)])
    }

    func testThePairingAfterALostOrExpiredOneIsShown() throws {
        var state = try connected()
        let first = try pairing()
        _ = state.handle(.pairingBegun(first), at: now)
        _ = state.handle(.link(.lost), at: now)
        state.link = .connected
        var second = first
        second.id = "second"
        XCTAssertEqual(state.handle(.pairingBegun(second), at: now), [.showWindow(.desk)])
        var third = first
        third.id = "third"
        third.pairing?.hasTurn = false
        third.expiresAt = "2026-11-20T12:10:00.000Z"
        let later = moment("2026-11-20T12:05:00.000Z", uptime: 400)
        XCTAssertEqual(state.handle(.pairingBegun(third), at: later), [])
        third.pairing?.hasTurn = true
        let turn = ShellEvent.notification(.deskChanged(DeskChange(waiting: 1, asked: third, ended: nil)))
        XCTAssertEqual(state.handle(turn, at: later), [.showWindow(.desk)])
        XCTAssertEqual(state.desk.sheet?.id, "third")
    }

    func testWhoWaitsForASheetIsToldThatNoneWillCome() {
        var state = ShellState(start: .byLink)
        _ = state.handle(.opened(address: link), at: now)
        XCTAssertEqual(
            state.handle(.link(.untrusted("Nobody\u{202e} proved anything.")), at: now),
            [.tell("Nobody\\u{202e} proved anything."), .askStatus]
        )
        XCTAssertEqual(state.handle(.link(.gaveUp), at: now), [], "told once")
        XCTAssertEqual(state.menu.icon, .troubled)
        XCTAssertEqual(state.server.headline, "Sallyport can’t be trusted")
    }

    func testALinkNobodyKnowsIsToldInASentence() throws {
        var state = try connected()
        for address in [
            "sallyport://integrations/export?all", "sallyport:x", "http://integrations/pair?x", "sallyport://integrations/pair",
        ] {
            XCTAssertEqual(state.handle(.opened(address: address), at: now), [.tell(DeepLink.unknownSentence)])
        }
    }

    func testADaemonThatSomebodyStoppedStaysStopped() throws {
        var state = try connected()
        state.mayStartDaemon = false
        XCTAssertEqual(state.handle(.link(.lost), at: now), [])
        XCTAssertEqual(state.handle(.link(.absent), at: now), [])
        XCTAssertEqual(state.handle(.link(.gaveUp), at: now), [])
        XCTAssertEqual(state.menu.items.contains(.button(.startDaemon, "Start Sallyport")), true)
        XCTAssertEqual(state.handle(.chose(.startDaemon), at: now), [.startDaemon, .reconnect])
        XCTAssertEqual(state.link, .starting)
    }

    func testTheBridgesLinkStartsTheDaemonAndShowsNothing() {
        var state = ShellState(start: .byLink)
        _ = state.handle(.opened(address: "sallyport://integrations/start-mcp"), at: now)
        XCTAssertEqual(state.handle(.link(.absent), at: now), [.startDaemon])
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: false))
    }

    func testALostDaemonTakesItsQuestionsWithIt() throws {
        var state = try connected()
        _ = state.handle(.notification(try asked()), at: now)
        XCTAssertEqual(state.handle(.link(.lost), at: now), [.notice(.withdraw(id: "k3m9x2pq"))])
        XCTAssertNil(state.status)
        XCTAssertEqual(state.desk.asks.count, 0)
        XCTAssertEqual(state.desk.sheet?.deciding.ending, .lost(mayBeDone: false))
        XCTAssertEqual(state.menu.badge, nil)
    }

    func testTheMenuDoesWhatItSays() throws {
        var state = try connected()
        let effects: [(MenuContent.Action, [ShellEffect])] = [
            (.pause, [.pause]), (.resume, [.resume]), (.quit, [.quit]), (.startDaemon, []),
            (.showDesk, [.showWindow(.desk)]),
            (.connectClient, [.showConnectClient]), (.openSettings, [.showSettings(.connections)]),
            (.showActivity, [.tell(MenuContent.activitySentence)]),
        ]
        for (action, effect) in effects { XCTAssertEqual(state.handle(.chose(action), at: now), effect) }
    }

    func testOpeningTheAppAgainShowsSettingsWhereNothingIsOpen() throws {
        var state = try connected(.byLink)
        XCTAssertEqual(state.handle(.reopened, at: now), [.showSettings(.connections)])
        XCTAssertEqual(state.presence.shown, .init(dock: true, menuBar: true))
        _ = state.handle(.presence(.opened(.desk)), at: now)
        XCTAssertEqual(state.handle(.reopened, at: now), [])
    }

    func testTheAgentIsStartedInItsUsersSession() {
        XCTAssertEqual(DaemonStart.launchctl("kickstart", user: 501), ["kickstart", "gui/501/app.sallyport.sallyportd"])
    }

    /// launchctl's output, shortened.
    private func printed(_ state: String, exit: String?) -> String {
        let last = exit.map { "\tlast exit code = \($0)\n" } ?? ""
        return "gui/501/app.sallyport.sallyportd = {\n\tactive count = 1\n\ttype = LaunchAgent\n\tstate = \(state)\n\n"
            + "\tendpoints = {\n\t\tstate = active\n\t}\n\truns = 1\n\(last)}\n"
    }

    func testWhatLaunchdIsAboutToStartIsOnItsWay() {
        for state in ["running", "spawning", "spawn scheduled", "xpcproxy"] {
            XCTAssertTrue(DaemonStart.isOnItsWay(printed: printed(state, exit: "(never exited)")), state)
            XCTAssertTrue(DaemonStart.isOnItsWay(printed: printed(state, exit: nil)), state)
            XCTAssertFalse(DaemonStart.isOnItsWay(printed: printed(state, exit: "78: EX_CONFIG")), "\(state), again and again")
        }
        let ended = printed("spawn scheduled", exit: nil) + "\tlast terminating signal = Killed: 9\n"
        XCTAssertFalse(DaemonStart.isOnItsWay(printed: ended), "a launch that macOS refuses")
        for said in [printed("not running", exit: "0"), printed("spawn failed", exit: nil), "", "state", "Could not find service"] {
            XCTAssertFalse(DaemonStart.isOnItsWay(printed: said), said)
        }
    }

    func testANewBuildIsGivenLongerAndTheMenuSaysWhatIsGoingOn() throws {
        XCTAssertEqual([true, false].map { DaemonStart.secondsToComeUp(hasComeUp: $0) }, [10, 40])
        var state = ShellState(start: .byHand)
        _ = state.handle(.link(.absent), at: now)
        XCTAssertEqual(state.handle(.started(note: DaemonStart.slowNote), at: now), [])
        XCTAssertTrue(state.explanation.contains(DaemonStart.slowNote))
        XCTAssertEqual(state.handle(.started(note: DaemonStart.fellBackSentence), at: now), [], "no window")
        state.link = .connected
        XCTAssertTrue(state.explanation.contains(DaemonStart.fellBackSentence))
        XCTAssertEqual(state.handle(.link(.lost), at: now), [])
        XCTAssertEqual(state.handle(.chose(.startDaemon), at: now).first, .startDaemon)
        XCTAssertEqual(state.shownNotes, [], "it is tried anew")
    }

    func testLaunchedAtLoginItIsInTheMenuBarAlone() {
        XCTAssertEqual(Presence.Start(links: 0, isAtLogin: true), .atLogin)
        XCTAssertEqual(Presence.Start(links: 1, isAtLogin: true), .byLink)
        XCTAssertEqual(Presence.Start(links: 0), .byHand)
        var state = ShellState(start: .byLink, hasShownFirstRun: true)
        XCTAssertEqual(state.handle(.presence(.launchedAtLogin), at: now), [], "Settings stay closed")
        XCTAssertEqual(state.presence.shown, .init(dock: false, menuBar: true))
        XCTAssertEqual(Presence(start: .atLogin).shown, .init(dock: false, menuBar: true))
        XCTAssertEqual(state.handle(.reopened, at: now), [.showSettings(.connections)])
        XCTAssertEqual(state.presence.shown, .init(dock: true, menuBar: true))
    }

    private func older(_ theirs: String, _ ours: String = "0.10.0") throws -> ([ShellEffect], ShellState) {
        var state = ShellState(start: .byHand, version: ours)
        state.link = .connected
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        status.version = theirs
        let effects = state.handle(.status(status), at: now)
        XCTAssertEqual(state.handle(.status(status), at: now), [], "once for a connection")
        return (effects, state)
    }

    func testADaemonFromBeforeAnUpdateIsRestartedAndOneThatIsNewerIsNot() throws {
        for theirs in ["0.9.9", "0.1.0", "0.9.9-beta.3", "0.10"] {
            let (effects, state) = try older(theirs)
            XCTAssertEqual(effects, [.restartWhenIdle], theirs)
            XCTAssertTrue(state.explanation.contains(ShellState.oldDaemonNote), theirs)
            XCTAssertTrue(state.mayRestartDaemon)
        }
        for (theirs, ours) in [
            ("0.10.0", "0.10.0"), ("0.11.0", "0.10.0"), ("1.0", "0.10.0"), ("", "0.10.0"), ("dev", "0.10.0"), ("0.9", ""),
        ] {
            let (effects, state) = try older(theirs, ours)
            XCTAssertEqual(effects, [], theirs)
            XCTAssertFalse(state.mayRestartDaemon || state.shownNotes.contains(ShellState.oldDaemonNote), theirs)
        }
    }

    func testWhileAnythingWaitsHereAnOldDaemonGoesOn() throws {
        var (_, state) = try older("0.9.0")
        _ = state.handle(.presence(.opened(.prompt)), at: now)
        XCTAssertFalse(state.mayRestartDaemon, "a passphrase is being typed")
        _ = state.handle(.presence(.closed(.prompt)), at: now)
        _ = state.handle(.notification(try asked()), at: now)
        XCTAssertFalse(state.mayRestartDaemon)
        (_, state) = try older("0.9.0")
        _ = state.handle(.pairingBegun(try pairing()), at: now)
        XCTAssertFalse(state.mayRestartDaemon)
        (_, state) = try older("0.9.0")
        state.mayStartDaemon = false
        XCTAssertEqual(state.handle(.restarting, at: now), [])
        _ = state.handle(.link(.lost), at: now)
        XCTAssertEqual(state.handle(.link(.absent), at: now), [.startDaemon], "the app has stopped it itself")
    }

    func testTheNoticeGoesOnceItsWindowIsInSight() throws {
        var state = try connected(.byLink)
        XCTAssertFalse(state.isNews("k3m9x2pq"))
        XCTAssertEqual(state.handle(.seen(.desk), at: now), [])
        _ = state.handle(.notification(try asked()), at: now)
        XCTAssertTrue(state.isNews("k3m9x2pq"))
        XCTAssertEqual(state.handle(.seen(.settings), at: now), [], "another window")
        XCTAssertEqual(state.handle(.seen(.desk), at: now), [.notice(.withdraw(id: "k3m9x2pq"))])
        XCTAssertTrue(state.isNews("k3m9x2pq"), "it is not answered by that")
        _ = state.handle(.link(.lost), at: now)
        XCTAssertFalse(state.isNews("k3m9x2pq"))
    }

    func testEachWindowHasItsSizeBeforeItIsDrawn() throws {
        var state = try connected()
        for window in [Presence.Window.settings, .desk] {
            XCTAssertGreaterThan(try XCTUnwrap(state.size(of: window)).height, 300)
        }
        let alone = state.size(of: .desk)
        _ = state.handle(.notification(try asked()), at: now)
        _ = state.handle(.pairingBegun(try pairing()), at: now)
        XCTAssertEqual(state.size(of: .desk), alone, "nothing moves")
        XCTAssertGreaterThan(
            WindowSize.notice(String(repeating: "Long words. ", count: 60)).height, WindowSize.notice("Short.").height)
    }

    func testLaunchedByHandItShowsSettingsAndSaysWhereItCanNotStay() {
        var state = ShellState(start: .byHand, hasShownFirstRun: true)
        XCTAssertEqual(state.handle(.launchedByHand, at: now), [.showSettings(.connections)])
        var passing = ShellState(start: .byHand, isPassing: true)
        XCTAssertEqual(
            passing.handle(.launchedByHand, at: now), [.showSettings(.connections), .tell(BundlePlace.moveSentence)])
    }

    func testAClickedNoticeShowsItsQuestionWhileThereIsOne() throws {
        var state = try connected()
        XCTAssertEqual(state.handle(.noticeClicked(id: "k3m9x2pq"), at: now), [])
        _ = state.handle(.notification(try asked()), at: now)
        XCTAssertEqual(state.handle(.noticeClicked(id: "k3m9x2pq"), at: now), [.showWindow(.desk)])
    }

    func testAQuestionNobodyCanReadIsNotPassedOver() throws {
        var state = try connected()
        XCTAssertEqual(
            state.handle(.notification(.unknown(method: "desk.changed")), at: now), [.tell(ShellState.unreadableQuestion)])
        XCTAssertEqual(state.handle(.notification(.unknown(method: "moon.rose")), at: now), [])
    }

    func testListsAreLoadedWhereTheyAreSeenAndHaveChanged() throws {
        var state = try connected()
        let pushed = try Fixtures.read(ControlNotification.self, "control/activity.appended.notification")
        XCTAssertEqual(state.handle(.notification(.tokensChanged), at: now), [], "nobody looks")
        XCTAssertEqual(state.handle(.presence(.opened(.settings)), at: now), [.loadLists])
        XCTAssertEqual(state.handle(.notification(.tokensChanged), at: now), [.loadLists])
        XCTAssertEqual(state.handle(.notification(pushed), at: now), [], "a row changes no list")
    }

    func testTheMenuSaysWhereNobodyIsAskedHere() throws {
        let said = MenuContent.Item.text("Questions go to a terminal")
        var state = try connected()
        let status = try XCTUnwrap(state.status)
        for isAsked in [false, true, false] {
            let attachment = ShellAttachment(asks: [], isAsked: isAsked, status: status)
            _ = state.handle(.attachment(attachment), at: now)
            XCTAssertEqual(state.menu.items.contains(said), !isAsked)
        }
        _ = state.handle(.link(.lost), at: now)
        XCTAssertFalse(state.menu.items.contains(said), "nothing is asked anywhere")
    }

    func testNoSentenceStandsInTheMenu() throws {
        let long = String(repeating: "It says more than a menu has room for. ", count: 9)
        var untrusted = ShellState(start: .byHand)
        _ = untrusted.handle(.link(.untrusted(long + "\u{202e}")), at: now)
        var noted = try connected()
        var status = try XCTUnwrap(noted.status)
        status.notes = [.init(code: .unserved, sentence: long), .init(code: .clock, sentence: "And another.")]
        _ = noted.handle(.status(status), at: now)
        for (state, label, told) in [
            (untrusted, "Why?", long + "\\u{202e}"), (noted, "Notes…", "\(long)\n\nAnd another."),
        ] {
            var state = state
            XCTAssertTrue(state.menu.items.contains(.button(.explain, label)))
            for case .text(let text) in state.menu.items { XCTAssertLessThan(text.count, 40, text) }
            XCTAssertEqual(state.handle(.chose(.explain), at: now), [.tell(told)])
        }
        status.notes = []
        _ = noted.handle(.status(status), at: now)
        XCTAssertFalse(noted.menu.items.contains { if case .button(.explain, _) = $0 { true } else { false } })
    }

    func testServerChangesReachTheMenu() throws {
        var state = try connected()
        XCTAssertEqual(state.menu.icon, .running)
        XCTAssertEqual(state.menu.items.first, .text("Sallyport is running on port 27432"))
        XCTAssertTrue(state.menu.items.contains(.button(.pause, "Pause")))
        let changed = try Fixtures.read(ControlNotification.self, "control/server.changed.notification")
        _ = state.handle(.notification(changed), at: now)
        XCTAssertEqual(state.menu.icon, .paused)
        XCTAssertTrue(state.menu.items.contains(.button(.resume, "Resume")))
        XCTAssertFalse(state.menu.items.contains(.button(.pause, "Pause")))
        XCTAssertEqual(state.server.light, .yellow)
        state.status?.state = .off
        XCTAssertEqual(state.server.isOn, false)
        XCTAssertEqual(state.menu.icon, .off)
    }

    func testWhoHoldsThePortIsSaid() throws {
        let state = try connected()
        XCTAssertEqual(state.server.address, "http://127.0.0.1:27432/mcp")
        XCTAssertEqual(
            state.server.notes,
            [
                "Port 27432 belongs to nginx (process 812), so HTTP clients must use 45021 for now. "
                    + "Stop that program and restart Sallyport, or choose another with `sallyport settings set port`."
            ])
    }

    func testPresenceFollowsTheSpecification() {
        var byLink = Presence(start: .byLink)
        XCTAssertEqual(byLink.shown, .init(dock: false, menuBar: false))
        byLink.handle(.opened(.desk))
        XCTAssertEqual(byLink.shown, .init(dock: true, menuBar: true))
        byLink.handle(.closed(.desk))
        XCTAssertEqual(byLink.shown, .init(dock: false, menuBar: false))
        byLink.handle(.openedByHand)
        XCTAssertEqual(byLink.shown, .init(dock: true, menuBar: true))
        byLink.handle(.opened(.settings))
        byLink.handle(.closed(.settings))
        XCTAssertEqual(byLink.shown, .init(dock: true, menuBar: true), "for the rest of that run")
        XCTAssertEqual(Presence(start: .byHand).shown, .init(dock: true, menuBar: true))
    }

    func testAnItemDraggedOutOfTheMenuBarStaysOut() {
        var presence = Presence(start: .byHand)
        presence.handle(.removedFromMenuBar)
        XCTAssertEqual(presence.shown, .init(dock: true, menuBar: false))
        presence.handle(.waiting(2))
        presence.handle(.openedByHand)
        XCTAssertEqual(presence.shown, .init(dock: true, menuBar: false))

        var hidden = Presence(start: .byLink)
        hidden.handle(.removedFromMenuBar)
        hidden.handle(.waiting(1))
        XCTAssertEqual(hidden.shown, .init(dock: false, menuBar: true), "nobody can drag what is not there")
    }

    func testDeepLinks() {
        XCTAssertEqual(DeepLink("SALLYPORT://Integrations/Start-MCP/"), .startServer)
        XCTAssertEqual(DeepLink("sallyport://integrations/start-mcp?x"), .unknown)
        XCTAssertEqual(DeepLink(link), .pair(link))
        XCTAssertEqual(DeepLink.redirectScheme("sallyport://integrations/pair?client=a&redirect=MyApp%3A//x"), "myapp")
        for (redirect, scheme) in [
            ("http%3A%2F%2F127.0.0.1", nil), ("HTTPS%3A%2F%2Fx", nil), ("%zz", nil), ("nothing", nil), ("1a%3Ax", nil),
            ("a+b%3Ax", nil),
            ("a%2Bb.c-d%3Ax", "a+b.c-d"),
        ] as [(String, String?)] {
            XCTAssertEqual(DeepLink.redirectScheme("sallyport://integrations/pair?redirect=\(redirect)"), scheme, redirect)
        }
    }

    func testConnectAClientHasStepsAndSnippetsForFourKinds() throws {
        let listed = try Fixtures.read(Fixtures.Answered<Command.SnippetsList.Answer>.self, "control/snippets.list.result").result
        XCTAssertEqual(ConnectClientSheet.Kind.allCases.count, 4)
        for kind in ConnectClientSheet.Kind.allCases {
            var sheet = ConnectClientSheet(kind: kind, port: 27_432)
            XCTAssertEqual(sheet.steps.compactMap(\.snippet), [], "nothing was answered yet")
            sheet.take(.success(listed))
            let steps = sheet.steps
            XCTAssertNil(sheet.problem)
            XCTAssertEqual(steps.map(\.number), Array(1...steps.count))
            let snippets = steps.compactMap(\.snippet)
            XCTAssertFalse(snippets.isEmpty)
            XCTAssertTrue(snippets.allSatisfy { $0.contains(kind == .http ? "27432" : "Contents/MacOS/sallyport-mcp") })
        }
        XCTAssertEqual(ConnectClientSheet(kind: .http, port: nil).steps.count, 1, "the server is not running")
    }

    func testConnectAClientSaysWhyThereIsNothingToCopy() {
        var sheet = ConnectClientSheet(kind: .chat, port: 27_432)
        sheet.take(.success(.init(snippets: [], notes: ["There is no bridge\u{202e}."])))
        XCTAssertEqual(sheet.problem, "There is no bridge\\u{202e}.")
        sheet.take(.failure(.lost))
        XCTAssertEqual(sheet.problem, ControlClient.Failure.lost.sentence)
        sheet.kind = .http
        XCTAssertNil(sheet.problem, "its own steps say so")
    }
}
