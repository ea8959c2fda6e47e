import XCTest

@testable import ShellRules

/// If the person refuses the app its secret, the app asks again only when the person wants it.
final class DeniedTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)

    private func denied() -> ShellState {
        var state = ShellState(start: .byLink)
        XCTAssertEqual(state.handle(.link(.denied), at: now), [.askStatus])
        return state
    }

    func testNoLinkAndNoProgramAsksAgain() {
        var state = denied()
        let pairing = "sallyport://integrations/pair?client=x&redirect=myapp%3A%2F%2Fcallback"
        XCTAssertEqual(state.handle(.opened(address: "sallyport://integrations/start-mcp"), at: now), [])
        XCTAssertEqual(state.handle(.opened(address: pairing), at: now), [.tell(LinkState.deniedSentence)])
        XCTAssertEqual(state.handle(.restarting, at: now), [])
        XCTAssertEqual(state.handle(.link(.absent), at: now), [.startDaemon], "the daemon may be started all the same")
        XCTAssertEqual(denied().link, .denied)
    }

    func testThePersonAsksAgainByTheMenuAndByOpeningTheApp() {
        var state = denied()
        XCTAssertTrue(state.menu.items.contains(.button(.startDaemon, "Try Again")))
        XCTAssertTrue(state.menu.items.contains(.button(.explain, "Why?")))
        XCTAssertEqual(state.handle(.chose(.explain), at: now), [.tell(LinkState.deniedSentence)])
        XCTAssertEqual(state.handle(.chose(.startDaemon), at: now), [.reconnect])
        XCTAssertEqual(state.link, .connecting)
        var reopened = denied()
        XCTAssertEqual(reopened.handle(.reopened, at: now), [.reconnect, .showWindow(.firstRun)])
        _ = reopened.handle(.link(.denied), at: now)
        XCTAssertEqual(reopened.link, .denied, "and may say no again")
    }

    func testTheLinkEndsAtADenial() async {
        let asked = Locked(0)
        let told = Locked<[String]>([])
        let link = DaemonLink(
            connect: {
                asked.use { $0 += 1 }
                return .denied
            }, sleep: { _ in }, uptimeSeconds: { 0 }, chance: { 0 })
        await link.run(tell: { event in told.use { $0.append("\(event)") } }, notify: { _ in })
        XCTAssertEqual(asked.use { $0 }, 1)
        XCTAssertEqual(told.use { $0 }, ["denied"])
    }

    func testAWaitingLinkIsTold() {
        var state = ShellState(start: .byLink)
        _ = state.handle(.opened(address: "sallyport://integrations/pair?client=x&redirect=myapp%3A%2F%2Fcallback"), at: now)
        XCTAssertEqual(state.handle(.link(.denied), at: now), [.tell(LinkState.deniedSentence), .askStatus])
    }

    func testAPassingCopyHandsOutNoPath() {
        let passing = "/private/var/folders/x1/abc/T/AppTranslocation/3F0C9A51/d/Sallyport.app"
        XCTAssertTrue(BundlePlace.isPassing(passing, isReadOnly: false))
        XCTAssertFalse(BundlePlace.isPassing("/Applications/Sallyport.app", isReadOnly: false))
        XCTAssertFalse(BundlePlace.isPassing("/Users/anna/AppTranslocations/Sallyport.app", isReadOnly: false))
        XCTAssertTrue(BundlePlace.isPassing("/Volumes/Sallyport/Sallyport.app", isReadOnly: true), "its disk image")
        XCTAssertTrue(BundlePlace.isReadOnly(flags: 0x1001))
        XCTAssertFalse(BundlePlace.isReadOnly(flags: 0x1000))
        XCTAssertFalse(BundlePlace.isReadOnly(NSTemporaryDirectory()))
        XCTAssertFalse(BundlePlace.isReadOnly("/nowhere at all"))
        var state = ShellState(start: .byHand, isPassing: true)
        XCTAssertEqual(state.handle(.chose(.connectClient), at: now), [.tell(BundlePlace.moveSentence)])
        XCTAssertEqual(DaemonStart(agent: .notRegistered, home: nil, isPassing: true), .child)
        XCTAssertEqual(DaemonStart(agent: .notRegistered, home: nil), .registerAgent)
        XCTAssertEqual(DaemonStart(agent: .enabled, home: nil, isOfThisBuild: false), .registerAgentAnew)
        XCTAssertEqual(DaemonStart(agent: .switchedOff, home: nil, isOfThisBuild: false), .child)
    }
}
