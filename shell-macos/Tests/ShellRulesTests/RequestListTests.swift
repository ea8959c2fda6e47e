import Foundation
import XCTest

@testable import ShellRules

/// Refused requests of AI clients: the offered answers, the commands that they send, and what the
/// app does.
final class RequestListTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)

    /// A write that a higher level allows, and a first use.
    private func sample() throws -> [AccessRequestView] {
        try Fixtures.read(Fixtures.Answered<Command.RequestsList.Answer>.self, "control/requests.list.result").result.requests
    }

    private func writes(_ count: Int, _ change: (inout AccessRequestView) -> Void = { _ in }) throws -> [AccessRequestView] {
        let first = try sample()[0]
        return (1...count).map { number in
            var request = first
            request.id = "request\(number)"
            change(&request)
            return request
        }
    }

    private func opened(_ requests: [AccessRequestView]) -> RequestList {
        var list = RequestList(requests)
        _ = list.handle(.opened(requests), at: now)
        return list
    }

    private func read(_ requests: [AccessRequestView]) -> RequestList {
        var list = RequestList(requests)
        _ = list.handle(.tickedAll(true), at: now)
        _ = list.handle(.opened(requests), at: now)
        _ = list.handle(.endShown(of: list.reading), at: now)
        return list
    }

    func testOneAloneIsChosenAndSeveralAreNot() throws {
        XCTAssertEqual(RequestList(try writes(1)).chosen.map(\.id), ["request1"])
        XCTAssertFalse(RequestList(try writes(1)).hasRows)
        let several = RequestList(try writes(2))
        XCTAssertEqual(several.chosen, [])
        XCTAssertTrue(several.hasRows)
        XCTAssertEqual(several.choices.map(\.answer), [.leave])
        XCTAssertEqual(several.remark, "Choose one or several to answer them.")
        let again = RequestList(try writes(1), isAgain: true)
        XCTAssertEqual(again.chosen, [], "a second click answers nothing")
        XCTAssertTrue(again.hasRows)
    }

    func testNothingIsAllowedBeforeItWasRead() throws {
        var list = opened(try writes(1))
        for answer in [RequestList.Answer.once, .run, .level(.halfHour)] {
            XCTAssertNil(list.handle(.pressed(answer), at: now))
        }
        XCTAssertEqual(list.remark, "Read to the end of what was asked to allow it.")
        _ = list.handle(.endShown(of: opened(try writes(2)).reading), at: now)
        XCTAssertNil(list.handle(.pressed(.once), at: now), "of another choice")
        var refused = list
        XCTAssertEqual(refused.handle(.pressed(.no), at: now), .decide(.no(ids: ["request1"])))
        _ = list.handle(.endShown(of: list.reading), at: now)
        XCTAssertEqual(list.handle(.pressed(.once), at: now), .decide(.once(ids: ["request1"])))
        XCTAssertNil(list.handle(.pressed(.no), at: now), "one answer only")
    }

    func testNothingIsAllowedBeforeWhatItTakesWasCounted() throws {
        let asked = try writes(3)
        var list = RequestList(asked)
        XCTAssertNil(list.open(), "nothing is chosen yet")
        XCTAssertEqual(list.handle(.ticked(id: "request2", true), at: now), .open(.init(ids: ["request2"])))
        XCTAssertNil(list.handle(.ticked(id: "request2", true), at: now))
        XCTAssertEqual(list.handle(.tickedAll(true), at: now), .open(.init(ids: ["request1", "request3"])), "each once")
        let before = list.reading
        _ = list.handle(.endShown(of: before), at: now)
        for answer in [RequestList.Answer.once, .run, .level(.halfHour)] { XCTAssertNil(list.handle(.pressed(answer), at: now)) }
        XCTAssertEqual(list.remark, "What it takes is being counted.")
        var counted = asked
        for place in counted.indices {
            counted[place].statement?.askedStatement.takes = StatementTakes(lines: ["changes 3 rows of größen"])
        }
        _ = list.handle(.opened([counted[1]]), at: now)
        XCTAssertEqual(list.remark, "What it takes is being counted.", "of the others")
        _ = list.handle(.opened([counted[0], counted[2]]), at: now)
        XCTAssertEqual(list.requests, counted)
        XCTAssertEqual(list.chosen[0].statementRows[0], StatementRow(id: 0, kind: .takes, text: "changes 3 rows of größen"))
        _ = list.handle(.endShown(of: before), at: now)
        XCTAssertNil(list.handle(.pressed(.run), at: now), "what was read did not say it")
        var refused = list
        XCTAssertNotNil(refused.handle(.pressed(.no), at: now))
        _ = list.handle(.endShown(of: list.reading), at: now)
        XCTAssertNotNil(list.handle(.pressed(.run), at: now))

        var one = RequestList(try writes(1))
        XCTAssertEqual(one.open(), .open(.init(ids: ["request1"])))
        XCTAssertNil(one.open(), "asked once")
        _ = one.handle(.notOpened(ids: ["request1"], "It no longer waits\u{202e}."), at: now)
        XCTAssertEqual(one.remark, "It no longer waits\\u{202e}.")
        XCTAssertEqual(one.choices.first?.answer, .refresh)
        XCTAssertFalse(one.choices.contains { $0.answer == .once && $0.state.isEnabled })
        _ = one.handle(.opened(try sample()), at: now)
        XCTAssertEqual(one.requests.map(\.id), ["request1"], "of another list")
        var firstUse = RequestList([try sample()[1]])
        XCTAssertNil(firstUse.open(), "it runs nothing")
        _ = firstUse.handle(.endShown(of: firstUse.reading), at: now)
        XCTAssertNotNil(firstUse.handle(.pressed(.once), at: now))
    }

    func testWhatWasReadOfOneChoiceWasNotReadOfAnother() throws {
        var list = opened(try writes(3))
        _ = list.handle(.ticked(id: "request3", true), at: now)
        _ = list.handle(.endShown(of: list.reading), at: now)
        XCTAssertTrue(list.endWasShown)
        _ = list.handle(.ticked(id: "request1", true), at: now)
        XCTAssertFalse(list.endWasShown)
        _ = list.handle(.ticked(id: "nothing of it", true), at: now)
        _ = list.handle(.endShown(of: list.reading), at: now)
        let sent = list.handle(.pressed(.run), at: now)
        XCTAssertEqual(sent, .decide(.run(ids: ["request1", "request3"])), "in the order in which they were asked")
        _ = list.handle(.tickedAll(false), at: now)
        XCTAssertEqual(list.chosen.count, 2, "what was sent stays")
    }

    func testTheAnswersAreThoseThatCanBeGiven() throws {
        let levels = ConnectionForm.WriteDuration.allCases.map { RequestList.Answer.level($0) }
        let one = read(try writes(1))
        XCTAssertEqual(one.choices.map(\.answer), [.once, .run, .no, .leave])
        XCTAssertEqual(one.choices.map(\.label), ["Allow Once", "Run It Yourself Now", "Don’t Allow", "Leave Waiting"])
        XCTAssertEqual(one.levels.map(\.answer), levels)
        XCTAssertEqual(one.levelsLabel, "Let AI clients write to Größe 数据:")
        XCTAssertEqual(read(try writes(3)).choices.map(\.label).prefix(2), ["Allow Each Once", "Run Them Yourself Now"])

        let owners = read(try writes(2) { $0.runsBy = $0.id == "request2" ? .owner : .client })
        XCTAssertEqual(owners.choices.map(\.answer), [.run, .no, .leave], "a client's token can't run it")
        let firstUse = read([try sample()[1]])
        XCTAssertEqual(firstUse.choices.map(\.answer), [.once, .no, .leave], "there is nothing to run")
        XCTAssertEqual(firstUse.choices[0].label, "Allow")
        XCTAssertEqual(read(try sample()).choices.map(\.answer), [.once, .no, .leave])

        for (why, change) in [
            ("another class", { $0.statement?.askedStatement.class = .destructive }),
            ("no level lifts it", { $0.lacks = .tokenScope }),
            ("another connection", { $0.connection.id = $0.id }),
        ] as [(String, (inout AccessRequestView) -> Void)] {
            let list = read(try writes(2) { if $0.id == "request2" { change(&$0) } })
            XCTAssertEqual(list.levels, [], why)
            XCTAssertNil(list.levelsLabel, why)
            var pressed = list
            XCTAssertNil(pressed.handle(.pressed(.level(.noEnd)), at: now), why)
        }
        XCTAssertEqual(RequestList([]).choices.map(\.label), ["Close"])
    }

    func testEachMayRunSeveralTimes() throws {
        var one = read(try writes(1))
        XCTAssertTrue(one.mayRunOften)
        _ = one.handle(.choseTimes(5), at: now)
        XCTAssertEqual(one.choices[0].label, "Allow 5 Times")
        var run = one
        XCTAssertEqual(run.handle(.pressed(.run), at: now), .decide(.run(ids: ["request1"])), "once, by the person")
        XCTAssertEqual(one.handle(.pressed(.once), at: now), .decide(.once(ids: ["request1"], times: 5)))
        _ = one.handle(.choseTimes(1), at: now)
        XCTAssertEqual(one.times, 5, "what was sent stays")

        var several = read(try writes(3))
        _ = several.handle(.choseTimes(100), at: now)
        XCTAssertEqual(several.choices[0].label, "Allow Each 100 Times")
        _ = several.handle(.choseTimes(101), at: now)
        XCTAssertEqual(several.times, 100, "more than the daemon takes")
        _ = several.handle(.ticked(id: "request3", false), at: now)
        XCTAssertEqual(several.times, 1, "of another choice")
        for list in [read([try sample()[1]]), read(try writes(1) { $0.runsBy = .owner }), RequestList(try writes(2))] {
            XCTAssertFalse(list.mayRunOften)
            var pressed = list
            _ = pressed.handle(.choseTimes(5), at: now)
            if case .decide(.once(_, let times))? = pressed.handle(.pressed(.once), at: now) { XCTAssertNil(times) }
        }
        XCTAssertEqual(RequestList.label(ofTimes: 1), "1 time")
    }

    func testNoKeyAllowsAnything() throws {
        for list in [read(try writes(1)), read(try sample()), RequestList(try writes(2)), RequestList([])] {
            for choice in list.levels + list.choices {
                XCTAssertEqual(choice.keys, choice.answer == .leave ? [.returnKey, .escape] : [], choice.label)
            }
        }
        var list = RequestList(try writes(2))
        XCTAssertEqual(list.handle(.pressed(.leave), at: now), .close)
    }

    func testALevelIsTheConnectionsForAWhile() throws {
        for (duration, seconds) in [(ConnectionForm.WriteDuration.halfHour, 1_800 as Int?), (.noEnd, nil)] {
            var list = read(try writes(2))
            guard case .allowWriting(let command) = list.handle(.pressed(.level(duration)), at: now) else { return XCTFail() }
            XCTAssertEqual(command.connection, "0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a11", "by its id: a name may move")
            XCTAssertEqual(command.externalClients, .init(level: .readWrite, forSeconds: Change(seconds)))
        }
        var tonight = read(try writes(1))
        guard case .allowWriting(let command) = tonight.handle(.pressed(.level(.tonight)), at: now) else { return XCTFail() }
        XCTAssertEqual(
            command.externalClients?.forSeconds, Change(ConnectionForm.WriteDuration.tonight.seconds(from: now.wall, in: .current)))
    }

    func testEachIsShownInFullAndEscaped() throws {
        let request = try sample()[0]
        let facts = request.facts
        XCTAssertEqual(
            facts.map(\.label),
            [
                "Connection", "Tags", "Client", "Started by", "Token", "Refused", "Asked", "Waits until", "Why", "Tables", "Length",
                "Schema", "Value 1", "Value 2",
            ])
        let value = { (label: String) in facts.first { $0.label == label }?.value }
        XCTAssertEqual(value("Tags"), "Red, prod")
        XCTAssertEqual(value("Client"), "Claude Code\\u{202e}")
        XCTAssertEqual(facts[2].standing, .claim)
        XCTAssertEqual(value("Started by"), "claude, bash")
        XCTAssertEqual(value("Refused"), "The connection is read only for AI clients.")
        XCTAssertEqual(value("Asked"), "3 times")
        XCTAssertEqual(value("Value 1"), "\"groß\"")
        XCTAssertEqual(value("Value 2"), "null")
        XCTAssertEqual(request.statementRows.map(\.text), ["UPDATE \"größen\"", "SET n = $1"])
        let firstUse = try sample()[1]
        XCTAssertEqual(firstUse.facts.first { $0.label == "If approved" }?.value, "Read only, for 8 hours.")
        XCTAssertEqual(firstUse.statementRows, [])
        let hidden = try writes(1) { $0.statement?.askedStatement.text = "SELECT 1\u{202e}; --" }
        XCTAssertEqual(hidden[0].statementRows.map(\.text), ["SELECT 1\\u{202e}; --"])
        XCTAssertEqual(RequestList(hidden).rows[0].detail, "SELECT 1\\u{202e}; --")
        for lacks in MissingAccess.allCases { XCTAssertFalse(lacks.sentence.isEmpty) }
    }

    func testWhatBecameOfIt() throws {
        let run = { (rows: Int?, failed: String?) in RequestRun(id: "x", rowsAffected: rows, warnings: [], failed: failed) }
        let outcome = { (answer: RequestAnswer, ran: [RequestRun], asked: Int) in
            Command.RequestsDecide.Answer(ids: [], answer: answer, ran: ran).outcome(of: asked)
        }
        XCTAssertEqual(outcome(.no, [], 2), "Refused. A client that asks again is told so.")
        XCTAssertEqual(outcome(.run, [run(1, nil)], 1), "It ran; 1 row changed.")
        XCTAssertEqual(outcome(.run, [run(nil, nil)], 1), "It ran.")
        XCTAssertEqual(
            outcome(.run, [run(3, nil), run(nil, "No\u{202e} such table.")], 4),
            "1. It ran; 3 rows changed. 2. It did not run. No\\u{202e} such table. 2 after it did not run, and still wait.")
        let sample = try Fixtures.read(Fixtures.Answered<Command.RequestsDecide.Answer>.self, "control/requests.decide.result")
        XCTAssertEqual(sample.result.outcome(of: 1), "It ran; 3 rows changed. Truncated.")
    }

    // MARK: The app

    private func connected(_ waiting: Int = 0, _ start: Presence.Start = .byLink) throws -> ShellState {
        var state = ShellState(start: start)
        state.link = .connected
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        status.requestsWaiting = waiting
        _ = state.handle(.status(status), at: now)
        return state
    }

    private func changed(_ waiting: Int) -> ShellEvent { .notification(.requestsChanged(waiting: waiting)) }

    func testTheMenuSaysThatSomeWait() throws {
        var state = try connected()
        XCTAssertFalse(state.presence.shown.menuBar)
        _ = state.handle(changed(2), at: now)
        XCTAssertTrue(state.presence.shown.menuBar)
        XCTAssertEqual(state.menu.icon, .asking)
        XCTAssertEqual(state.menu.badge, "2")
        XCTAssertTrue(state.menu.items.contains(.button(.showRequests, "2 refused requests wait for you…")))
        XCTAssertTrue(state.menu.spoken.hasSuffix(". 2 refused requests wait for you"), state.menu.spoken)
        _ = state.handle(changed(0), at: now)
        XCTAssertFalse(state.presence.shown.menuBar)
        XCTAssertNil(state.menu.badge)
        XCTAssertTrue(try connected(1).presence.shown.menuBar, "those that waited before the app came")
        _ = state.handle(changed(1), at: now)
        _ = state.handle(.link(.lost), at: now)
        XCTAssertFalse(state.presence.shown.menuBar)
        XCTAssertFalse(state.menu.items.contains { if case .button(.showRequests, _) = $0 { true } else { false } })
    }

    func testOneMoreIsToldOfWithoutItsStatement() throws {
        var state = try connected()
        XCTAssertEqual(state.handle(changed(2), at: now), [.listRequests(.notice)])
        let told = state.handle(.requests(.listed(try sample().reversed(), .notice)), at: now)
        guard case .notice(.post(let id, _, let body))? = told.first, told.count == 1 else { return XCTFail("\(told)") }
        XCTAssertEqual(body, "“Claude Code\\u{202e}” was refused on Größe 数据, and you may allow it.")
        XCTAssertNil(state.requests, "no window comes of it")
        XCTAssertEqual(state.handle(changed(2), at: now), [], "a like one was counted")
        XCTAssertEqual(state.handle(changed(1), at: now), [])
        XCTAssertEqual(state.handle(changed(0), at: now), [.notice(.withdraw(id: id))])
        XCTAssertEqual(state.handle(.noticeClicked(id: id), at: now), [.listRequests(.open)])
    }

    func testTheListDoesNotChangeWhileItIsOpen() throws {
        var state = try connected(2)
        XCTAssertEqual(state.handle(.chose(.showRequests), at: now), [.listRequests(.open)])
        let opened = state.handle(.requests(.listed(try writes(2), .open)), at: now)
        XCTAssertEqual(opened.first, .showWindow(.requests))
        XCTAssertNil(state.window(ofNotice: ShellState.requestsNotice), "the person looks at them")
        XCTAssertEqual(state.handle(.chose(.showRequests), at: now), [.showWindow(.requests)])
        XCTAssertEqual(state.handle(changed(3), at: now), [])
        XCTAssertEqual(state.requests?.requests.count, 2)
        XCTAssertEqual(state.requests?.choices.map(\.answer), [.refresh, .leave])
        XCTAssertEqual(state.handle(.requests(.list(.pressed(.refresh))), at: now), [.listRequests(.again)])
        _ = state.handle(.requests(.listed(try writes(3), .again)), at: now)
        XCTAssertEqual(state.requests?.requests.count, 3)
        XCTAssertEqual(state.handle(.requests(.list(.pressed(.leave))), at: now), [.closeWindow(.requests)])
        _ = state.handle(.presence(.closed(.requests)), at: now)
        XCTAssertNil(state.requests)
        XCTAssertEqual(state.window(ofNotice: ShellState.requestsNotice), .requests)
        XCTAssertEqual(state.handle(.requests(.listed(try writes(3), .again)), at: now), [], "closed, it stays closed")
    }

    func testWhatBecameOfAnAnswerIsSaid() throws {
        var state = try connected(1)
        let shown = state.handle(.requests(.listed(try writes(1), .open)), at: now)
        XCTAssertEqual(shown.dropFirst().first, .openRequests(.init(ids: ["request1"])), "one alone is chosen")
        _ = state.handle(.requests(.list(.opened(try writes(1)))), at: now)
        _ = state.handle(.requests(.list(.endShown(of: try XCTUnwrap(state.requests).reading))), at: now)
        let sent = state.handle(.requests(.list(.pressed(.once))), at: now)
        XCTAssertEqual(sent, [.answerRequests(.once(ids: ["request1"]))])
        _ = state.handle(.requests(.list(.gaveUp)), at: now)
        XCTAssertEqual(state.handle(.requests(.list(.pressed(.once))), at: now), sent, "given up, it may be given again")
        _ = state.handle(.requests(.list(.refused("Too late\u{202e}."))), at: now)
        XCTAssertEqual(state.requests?.remark, "Too late\\u{202e}.")
        XCTAssertEqual(state.requests?.choices.first?.answer, .refresh)
        XCTAssertEqual(state.handle(.requests(.answered("It ran.")), at: now), [.listRequests(.again)])
        _ = state.handle(.requests(.listed([], .again)), at: now)
        XCTAssertEqual(state.requests?.remark, "It ran.")
        XCTAssertEqual(state.requests?.title, "Nothing waits for your answer.")
        _ = state.handle(.presence(.closed(.requests)), at: now)
        XCTAssertEqual(state.handle(.requests(.answered("It ran.")), at: now), [.tell("It ran.")])
        XCTAssertEqual(state.handle(.requests(.list(.refused("No."))), at: now), [.tell("No.")])
    }

    func testALostConnectionClosesTheWindow() throws {
        var state = try connected(1)
        _ = state.handle(.requests(.listed(try writes(1), .open)), at: now)
        XCTAssertTrue(state.handle(.link(.lost), at: now).contains(.closeWindow(.requests)))
    }

    func testWhatNobodyConfirmedIsSaid() throws {
        var state = try connected()
        guard case .tell(let sentence)? = state.handle(.unconfirmed, at: now).first else { return XCTFail() }
        XCTAssertTrue(sentence.hasPrefix("Nobody confirmed that: the owner passphrase is off, "), sentence)
    }
}
