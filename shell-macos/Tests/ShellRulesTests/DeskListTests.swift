import Foundation
import XCTest

@testable import ShellRules

/// All that waits: what is drawn, what is listed beside it, the answers to refused requests, and
/// what the app does.
final class DeskListTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)
    private let soon = moment("2026-11-20T12:00:01.000Z", uptime: 101)
    private let late = moment("2026-11-20T12:05:00.000Z", uptime: 400)

    /// Writes that a higher level allows.
    private func writes(_ count: Int, _ change: (inout AskView) -> Void = { _ in }) throws -> [AskView] {
        let opened = try Fixtures.opened()
        return (1...count).map { number in
            var request = opened
            request.id = "request\(number)"
            change(&request)
            return request
        }
    }

    private func read(_ views: [AskView]) -> AskSheet {
        var sheet = AskSheet(views, at: now)
        _ = sheet.handle(.endShown(of: sheet.reading), at: now)
        return sheet
    }

    private func desk(_ views: [AskView], isShown: Bool = false) -> DeskList {
        var desk = DeskList()
        desk.add(views, at: now)
        if isShown { desk.show(at: now) }
        return desk
    }

    private func question(_ id: String, _ change: (inout AskView) -> Void = { _ in }) throws -> AskView {
        try Fixtures.ask("k3m9x2pq") {
            $0.id = id
            change(&$0)
        }
    }

    private func answered(_ desk: inout DeskList, _ answer: DeskAnswer = .no) {
        let ids = desk.sheet?.ids ?? []
        XCTAssertNotNil(desk.handle(.pressed(answer), for: desk.sheet?.id ?? "", at: soon))
        _ = desk.handle(.answered(Fixtures.decision(ids, answer)), for: desk.sheet?.id ?? "", at: soon)
    }

    // MARK: One card

    func testNothingThatComesMovesTheOneThatIsRead() throws {
        var desk = desk([try question("a")])
        for view in [try question("b"), try Fixtures.ask("m4n8c2vb"), try Fixtures.ask("t5y7w3kd"), try Fixtures.ask("rqst2345")] {
            desk.add([view], at: soon)
            XCTAssertEqual(desk.sheet?.id, "a")
        }
        XCTAssertEqual(desk.rows.map(\.id), ["a", "b", "m4n8c2vb", "t5y7w3kd", "rqst2345"])
        XCTAssertEqual(desk.rows.map(\.isChosen), [true, false, false, false, false])
        desk.add([try question("b"), try question("a")], at: soon)
        XCTAssertEqual(desk.asks.count, 5, "each once")
        answered(&desk)
        XCTAssertEqual(desk.sheet?.id, "b")
        XCTAssertFalse(try XCTUnwrap(desk.sheet).yesButton(at: soon).isEnabled, "it stands where the click was meant for the other")
        for id in ["m4n8c2vb", "t5y7w3kd"] {
            answered(&desk)
            XCTAssertEqual(desk.sheet?.id, id)
        }
        answered(&desk)
        XCTAssertNil(desk.sheet, "a request is drawn for a person that chooses it")
        XCTAssertFalse(desk.isWanted)
        XCTAssertEqual(desk.asks.map(\.id), ["rqst2345"])
    }

    func testAPairingIsDrawnInItsTurn() throws {
        var second = try Fixtures.ask("t5y7w3kd") { $0.id = "second" }
        second.pairing?.hasTurn = false
        var desk = desk([try Fixtures.ask("t5y7w3kd"), second])
        XCTAssertEqual(desk.rows.map(\.id), ["t5y7w3kd"])
        desk.handle(.ticked(id: "second", true), at: now)
        XCTAssertEqual(desk.sheet?.id, "t5y7w3kd")
        XCTAssertNotNil(desk.handle(.closed, for: "t5y7w3kd", at: soon))
        XCTAssertNil(desk.sheet, "the daemon hasn't said that the next may be drawn")
        var expired = desk
        expired.add([try Fixtures.ask("rqst2345")], at: late)
        XCTAssertEqual(expired.asks.map(\.id), ["rqst2345"], "its turn will never come")
        second.pairing?.hasTurn = true
        desk.add([second], at: soon)
        XCTAssertEqual(desk.sheet?.id, "second")
    }

    func testACardThatIsOverGivesWayToTheNext() throws {
        for end in [WithdrawalReason.yes, .timeout, .cancelled] {
            var desk = desk([try question("a")])
            desk.end("a", end, at: soon)
            XCTAssertEqual(desk.sheet?.deciding.ending, .withdrawn(end), "it says what became of it")
            XCTAssertEqual(desk.asks, [])
            desk.add([try question("b")], at: soon)
            XCTAssertEqual(desk.sheet?.id, "b")
        }
        var lost = desk([try question("a")])
        lost.connectionLost(at: soon)
        XCTAssertEqual(lost.sheet?.deciding.ending, .lost(mayBeDone: false), "it says so for as long as none comes")
        lost.add([try question("a")], at: soon)
        XCTAssertNil(lost.sheet?.deciding.ending, "it is asked again")

        var expired = desk([try question("a"), try question("b") { $0.expiresAt = "2026-11-20T12:10:00.000Z" }])
        expired.add([], at: late)
        XCTAssertEqual(expired.sheet?.id, "b")
        var sent = desk([try question("a"), try question("b")])
        XCTAssertNotNil(sent.handle(.pressed(.no), for: "a", at: soon))
        sent.add([], at: late)
        XCTAssertEqual(sent.sheet?.id, "a", "its answer is on its way")
        XCTAssertNil(sent.handle(.pressed(.no), for: "b", at: soon), "of a card that is not drawn")
    }

    func testANoEndsThoseBehindItUnseen() throws {
        var desk = desk(try ["a", "b", "c"].map { id in try Fixtures.ask("m4n8c2vb") { $0.id = id } })
        XCTAssertNotNil(desk.handle(.pressed(.no), for: "a", at: soon))
        // In the daemon's order: first the answered one, then the others, then the result of the
        // answer.
        for id in ["a", "b", "c"] {
            desk.end(id, .no, at: soon)
            XCTAssertEqual(desk.sheet?.id, "a")
        }
        _ = desk.handle(.answered(Fixtures.decision(["a"], .no)), for: "a", at: soon)
        XCTAssertNil(desk.sheet)
        XCTAssertEqual(desk.asks, [])
    }

    // MARK: Requests

    func testOneAloneIsChosenAndSeveralAreNot() throws {
        XCTAssertEqual(desk(try writes(1), isShown: true).sheet?.ids, ["request1"])
        let several = desk(try writes(2), isShown: true)
        XCTAssertNil(several.sheet)
        XCTAssertTrue(several.isWanted)
        XCTAssertEqual(several.leave.map(\.label), ["Leave Waiting"])
        XCTAssertEqual(several.remark, "Choose one or several to answer them.")
        XCTAssertEqual(desk([], isShown: true).title, "Nothing waits for your answer.")
    }

    func testOnlyRequestsAreChosenTogether() throws {
        var desk = desk(try writes(3) + [try question("a")])
        XCTAssertEqual(desk.sheet?.ids, ["a"])
        desk.handle(.ticked(id: "request2", true), at: soon)
        XCTAssertEqual(desk.sheet?.ids, ["request2"])
        desk.handle(.ticked(id: "request1", true), at: soon)
        XCTAssertEqual(desk.sheet?.ids, ["request1", "request2"], "in the order in which they were asked")
        desk.handle(.ticked(id: "nothing of it", true), at: soon)
        desk.handle(.tickedAll(true), at: soon)
        XCTAssertTrue(desk.areAllChosen && desk.mayChooseAll)
        XCTAssertEqual(desk.sheet?.ids.count, 3)
        desk.handle(.ticked(id: "a", true), at: soon)
        XCTAssertEqual(desk.sheet?.ids, ["a"])
        desk.handle(.ticked(id: "a", false), at: soon)
        XCTAssertEqual(desk.sheet?.ids, ["a"], "it is drawn until it is answered")
        desk.handle(.tickedAll(true), at: soon)
        desk.handle(.tickedAll(false), at: soon)
        XCTAssertEqual(desk.sheet?.ids, ["a"])
    }

    func testWhatWasReadOfOneChoiceWasNotReadOfAnother() throws {
        var desk = desk(try writes(2), isShown: true)
        desk.handle(.ticked(id: "request2", true), at: now)
        let reading = try XCTUnwrap(desk.sheet?.reading)
        _ = desk.handle(.endShown(of: reading), for: "request2", at: now)
        XCTAssertEqual(desk.sheet?.endWasShown, true)
        desk.handle(.ticked(id: "request1", true), at: now)
        _ = desk.handle(.endShown(of: reading), for: "request1 request2", at: now)
        XCTAssertEqual(desk.sheet?.endWasShown, false)
        XCTAssertNil(desk.handle(.pressed(.run), for: "request1 request2", at: soon))
        XCTAssertNotNil(desk.handle(.pressed(.no), for: "request1 request2", at: soon))
        desk.handle(.tickedAll(false), at: soon)
        XCTAssertEqual(desk.sheet?.ids.count, 2, "what was sent stays")
    }

    func testNothingIsAllowedBeforeWhatItTakesWasCountedAndRead() throws {
        let closed = try Fixtures.ask("rqst2345")
        XCTAssertEqual(closed.answers, [.no])
        var sheet = read([closed])
        XCTAssertEqual(sheet.uncounted, ["rqst2345"])
        XCTAssertEqual(sheet.remark(at: soon), "What it takes is being counted.")
        XCTAssertEqual(sheet.choices(at: soon).map(\.label), ["Don’t Allow", "Leave Waiting"])
        for answer in [DeskAnswer.yes, .run] { XCTAssertNil(sheet.handle(.pressed(answer), at: soon)) }
        XCTAssertNil(sheet.handle(.pressedLevel(.halfHour), at: soon))
        let before = sheet.reading
        _ = sheet.handle(.opened([try Fixtures.opened(), try question("of another card")]), at: soon)
        XCTAssertEqual(sheet.views, [try Fixtures.opened()])
        _ = sheet.handle(.endShown(of: before), at: soon)
        XCTAssertNil(sheet.handle(.pressed(.run), at: soon), "what was read did not say it")
        XCTAssertEqual(sheet.remark(at: soon), "Read to the end of what was asked to allow it.")
        XCTAssertEqual(
            sheet.views[0].statementRows[0], StatementRow(id: 0, kind: .takes, text: "changes 500 rows of public.größen"))
        _ = sheet.handle(.endShown(of: sheet.reading), at: soon)
        XCTAssertNil(sheet.handle(.pressed(.run), at: soon), "the button has just come")
        let heard = moment("2026-11-20T12:00:02.000Z", uptime: 102)
        let takes = sheet.views.compactMap { $0.statement?.askedStatement.takes }
        XCTAssertEqual(takes.count, 1)
        XCTAssertEqual(sheet.handle(.pressed(.run), at: heard), .decide(.init(ids: ["rqst2345"], answer: .run, takes: takes)))
        XCTAssertNil(sheet.handle(.pressed(.no), at: heard), "one answer only")

        var refused = AskSheet([closed], at: now)
        let failure = ControlClient.Failure.refused(ControlError(code: -33_007, message: "It no longer\nwaits\u{202e}."))
        _ = refused.handle(.notOpened(failure.sentence), at: soon)
        XCTAssertEqual(refused.remark(at: soon), "It no longer\\u{a}waits\\u{202e}.", "escaped once")
        XCTAssertNil(refused.handle(.pressed(.yes), at: soon))
    }

    func testFiguresThatAnotherShellHasCountedAnewAreReadAnew() throws {
        let shown = try Fixtures.opened()
        for wasSent in [false, true] {
            var desk = desk([shown], isShown: true)
            let read = try XCTUnwrap(desk.sheet?.reading)
            _ = desk.handle(.endShown(of: read), for: "rqst2345", at: soon)
            if wasSent { XCTAssertNotNil(desk.handle(.pressed(.yes), for: "rqst2345", at: soon)) }
            var more = shown
            more.statement?.askedStatement.takes?.lines = ["changes 5,000 rows of public.größen"]
            desk.add([more], at: soon)
            XCTAssertEqual(desk.sheet?.views, [more])
            // The daemon compares, and does nothing.
            let changed = ControlError(code: -33_007, message: "What it takes was counted anew.")
            if wasSent { _ = desk.handle(.refused(changed), for: "rqst2345", at: soon) }
            XCTAssertNil(desk.handle(.pressed(.yes), for: "rqst2345", at: soon))
            _ = desk.handle(.endShown(of: read), for: "rqst2345", at: soon)
            let heard = moment("2026-11-20T12:00:02.000Z", uptime: 102)
            XCTAssertNil(desk.handle(.pressed(.yes), for: "rqst2345", at: heard), "what was read said another figure")
            _ = desk.handle(.endShown(of: try XCTUnwrap(desk.sheet?.reading)), for: "rqst2345", at: heard)
            more.times += 1
            desk.add([more], at: heard)
            XCTAssertEqual(
                desk.handle(.pressed(.yes), for: "rqst2345", at: heard),
                .decide(.init(ids: ["rqst2345"], answer: .yes, takes: [try XCTUnwrap(more.statement?.askedStatement.takes)])),
                "sent again by its client it is the same, and the daemon compares what was read")
        }
    }

    func testTwoChosenQuicklyAreBothCounted() throws {
        let closed = try writes(2) { $0.answers = [.no] }
        var state = try connected(closed)
        _ = state.handle(.chose(.showDesk), at: now)
        for id in ["request1", "request2"] {
            let effects = state.handle(.desk(.ticked(id: id, true)), at: now)
            let card = id == "request1" ? "request1" : "request1 request2"
            XCTAssertEqual(effects.first, .sheet(id: card, .open(.init(ids: [id]))))
        }
        let counted = try writes(2)
        _ = state.handle(.sheet(id: "request1", .opened([counted[0]])), at: soon)
        XCTAssertEqual(state.desk.sheet?.uncounted, ["request2"])
        _ = state.handle(.sheet(id: "request1 request2", .opened([counted[1]])), at: soon)
        XCTAssertEqual(state.desk.sheet?.uncounted, [])
        XCTAssertEqual(state.desk.asks, counted)
        XCTAssertEqual(state.desk.sheet?.remark(at: soon), "Read to the end of what was asked to allow it.")
        var failed = try connected(closed)
        for event in [ShellEvent.chose(.showDesk), .desk(.ticked(id: "request1", true)), .desk(.ticked(id: "request2", true))] {
            _ = failed.handle(event, at: now)
        }
        _ = failed.handle(.sheet(id: "request1", .notOpened("It is gone.")), at: soon)
        XCTAssertEqual(failed.desk.sheet?.remark(at: soon), "It is gone.")
    }

    func testOneOfSeveralThatEndsEndsNoRunThatIsOut() throws {
        var desk = desk(try writes(2), isShown: true)
        desk.handle(.tickedAll(true), at: now)
        let id = "request1 request2"
        var unsent = desk
        unsent.end("request1", .timeout, at: soon)
        XCTAssertEqual(unsent.sheet?.remark(at: soon), "One of these no longer waits.")
        unsent.handle(.tickedAll(true), at: soon)
        XCTAssertEqual(unsent.sheet?.ids, ["request2"])
        _ = desk.handle(.endShown(of: try XCTUnwrap(desk.sheet?.reading)), for: id, at: now)
        XCTAssertNotNil(desk.handle(.pressed(.run), for: id, at: soon))
        desk.end("request1", .timeout, at: soon)
        XCTAssertEqual(desk.sheet?.deciding.phase, .sent(.run))
        let ran = desk.sheet?.ids.map { RequestRun(id: $0, rowsAffected: 1, warnings: [], failed: nil) } ?? []
        let both = [said("Ran; 1 row changed.", []), said("Ran.", [])]
        let decision = DeskDecision(ids: ["request1", "request2"], answer: .run, ran: ran, said: both)
        _ = desk.handle(.answered(decision), for: id, at: soon)
        XCTAssertEqual(desk.outcome, "Ran; 1 row changed. Ran.")
    }

    func testARowStaysInItsPlaceUntilTheWindowCloses() throws {
        var desk = desk(try writes(3), isShown: true)
        desk.end("request1", .cancelled, at: soon)
        XCTAssertEqual(desk.rows.map(\.id), ["request1", "request2", "request3"])
        XCTAssertEqual(desk.rows.map(\.isOver), [true, false, false])
        desk.handle(.ticked(id: "request1", true), at: soon)
        XCTAssertNil(desk.sheet)
        desk.add([try question("a")], at: soon)
        XCTAssertEqual(desk.rows.map(\.id).last, "a")
        _ = desk.handle(.pressed(.no), for: "a", at: soon)
        _ = desk.handle(.answered(Fixtures.decision(["a"], .no)), for: "a", at: soon)
        XCTAssertEqual(desk.rows.map(\.isOver), [true, false, false, true])
        desk.handle(.left, at: soon)
        XCTAssertEqual(desk.rows.map(\.id), ["request2", "request3"])
    }

    func testFiguresThatHoldNoLongerAreCountedAndReadAnew() throws {
        var desk = desk([try Fixtures.opened()], isShown: true)
        _ = desk.handle(.endShown(of: try XCTUnwrap(desk.sheet?.reading)), for: "rqst2345", at: soon)
        desk.add([try Fixtures.opened()], at: soon)
        XCTAssertEqual(desk.sheet?.endWasShown, true)
        desk.add([try Fixtures.ask("rqst2345")], at: soon)
        XCTAssertEqual(desk.sheet?.uncounted, ["rqst2345"])
        XCTAssertNil(desk.handle(.pressed(.yes), for: "rqst2345", at: soon))
    }

    func testTheAnswersAreThoseThatCanBeGiven() throws {
        let labels = { (sheet: AskSheet) in sheet.choices(at: self.soon).map(\.label) }
        XCTAssertEqual(
            labels(read(try writes(1))), ["Allow Once", "Run It Yourself Now", "Don’t Allow", "Leave Waiting"])
        XCTAssertEqual(labels(read(try writes(3))).prefix(2), ["Allow Each Once", "Run Them Yourself Now"])
        let owners = read(try writes(2) { if $0.id == "request2" { ($0.runsBy, $0.answers) = (.owner, [.run, .no]) } })
        XCTAssertEqual(labels(owners), ["Run Them Yourself Now", "Don’t Allow", "Leave Waiting"], "a client's token can't run it")
        let hostKey = try Fixtures.ask("rqst6789") { ($0.kind, $0.lacks) = (.hostKey, .hostKey) }
        for view in [try Fixtures.ask("rqst6789"), hostKey] {
            XCTAssertEqual(labels(read([view])), ["Allow", "Don’t Allow", "Leave Waiting"], "there is nothing to run")
        }

        XCTAssertEqual(read(try writes(1)).levelsLabel, "Let AI clients write to Größe 数据:")
        for (why, change) in [
            ("another class", { $0.statement?.askedStatement.class = .destructive }),
            ("no level lifts it", { $0.lacks = .tokenScope }),
            ("another connection", { $0.connection?.id = "another" }),
        ] as [(String, (inout AskView) -> Void)] {
            var sheet = read(try writes(2) { if $0.id == "request2" { change(&$0) } })
            XCTAssertEqual(sheet.levels(at: soon), [], why)
            XCTAssertNil(sheet.levelsLabel, why)
            XCTAssertNil(sheet.handle(.pressedLevel(.noEnd), at: soon), why)
        }
    }

    func testEachMayRunSeveralTimes() throws {
        var one = read(try writes(1))
        XCTAssertTrue(one.mayRunOften)
        _ = one.handle(.choseTimes(5), at: now)
        XCTAssertEqual(one.choices(at: soon)[0].label, "Allow 5 Times")
        var run = one
        let takes = one.views.compactMap { $0.statement?.askedStatement.takes }
        XCTAssertEqual(
            run.handle(.pressed(.run), at: soon), .decide(.init(ids: ["request1"], answer: .run, takes: takes)),
            "once, by the person")
        XCTAssertEqual(
            one.handle(.pressed(.yes), at: soon), .decide(.init(ids: ["request1"], answer: .yes, times: 5, takes: takes)))
        _ = one.handle(.choseTimes(1), at: now)
        XCTAssertEqual(one.times, 5, "what was sent stays")

        var several = read(try writes(3))
        _ = several.handle(.choseTimes(100), at: now)
        XCTAssertEqual(several.choices(at: soon)[0].label, "Allow Each 100 Times")
        _ = several.handle(.choseTimes(101), at: now)
        XCTAssertEqual(several.times, 100, "more than the daemon takes")
        let owners = try writes(1) { ($0.runsBy, $0.answers) = (.owner, [.run, .no]) }
        for views in [[try Fixtures.ask("rqst6789")], owners, [try question("a")]] {
            var sheet = read(views)
            XCTAssertFalse(sheet.mayRunOften)
            _ = sheet.handle(.choseTimes(5), at: now)
            XCTAssertEqual(sheet.times, 1)
        }
        XCTAssertEqual(AskSheet.label(ofTimes: 1), "1 time")
    }

    func testOneKeyAllowsOnceItsEndWasSeenAndNoOther() throws {
        for views in [try writes(1), [try Fixtures.ask("rqst6789")], [try question("a")], [try Fixtures.ask("m4n8c2vb")]] {
            let sheet = read(views)
            for choice in sheet.levels(at: soon) + sheet.choices(at: soon) {
                let isSafe = choice.answer == (sheet.isRequest ? .closed : .pressed(.no))
                let allows: Set<ChoiceKey> = choice.answer == .pressed(.yes) ? [.commandReturn] : []
                XCTAssertEqual(choice.keys, isSafe ? [.returnKey, .escape] : allows, choice.label)
                XCTAssertTrue(choice.keys.isDisjoint(with: [.returnKey, .escape]) || choice.answer != .pressed(.yes))
            }
            let unread = AskSheet(views, at: now)
            XCTAssertFalse(
                unread.choices(at: soon).contains { $0.keys.contains(.commandReturn) && $0.state.isEnabled }, "not seen to its end")
        }
    }

    func testALevelIsTheConnectionsForAWhile() throws {
        for (duration, seconds) in [(WriteDuration.halfHour, 1_800 as Int?), (.noEnd, nil)] {
            var sheet = read(try writes(2))
            XCTAssertNil(sheet.handle(.pressedLevel(duration), at: now), "in the first moment")
            guard case .allowWriting(let command) = sheet.handle(.pressedLevel(duration), at: soon) else { return XCTFail() }
            XCTAssertEqual(command.connection, "0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a11", "by its id: a name may move")
            XCTAssertEqual(command.externalClients, .init(level: .readWrite, forSeconds: Change(seconds)))
        }
        var desk = desk(try writes(1), isShown: true)
        _ = desk.handle(.endShown(of: try XCTUnwrap(desk.sheet?.reading)), for: "request1", at: now)
        XCTAssertNotNil(desk.handle(.pressedLevel(.halfHour), for: "request1", at: soon))
        let card = try XCTUnwrap(desk.sheet)
        XCTAssertEqual(card.remark(at: soon), "The answer is on its way.")
        XCTAssertFalse((card.levels(at: soon) + card.choices(at: soon).dropLast()).contains(where: \.state.isEnabled))
        XCTAssertNil(desk.handle(.pressedLevel(.noEnd), for: "request1", at: soon))
        var givenUp = desk
        _ = givenUp.handle(.gaveUp, for: "request1", at: soon)
        XCTAssertNil(givenUp.sheet?.remark(at: soon))
        XCTAssertEqual(givenUp.sheet?.deciding.isOpen, true)
        _ = desk.handle(.allowedWriting, for: "request1", at: soon)
        XCTAssertEqual(desk.outcome, "AI clients may write there now. The client sends it again: tell it to go on.")
        XCTAssertEqual(desk.asks.count, 1, "it waits until the client sends it again")
        XCTAssertTrue(desk.isWanted)
    }

    func testALevelThatWasGivenIsSaidIfItsCardIsGone() throws {
        var state = try connected(try writes(1))
        _ = state.handle(.chose(.showDesk), at: now)
        _ = state.handle(.sheet(id: "request1", .endShown(of: try XCTUnwrap(state.desk.sheet?.reading))), at: now)
        XCTAssertEqual(state.handle(.sheet(id: "request1", .pressedLevel(.halfHour)), at: soon).count, 1)
        _ = state.handle(ended("request1"), at: soon)
        XCTAssertEqual(state.handle(.sheet(id: "request1", .allowedWriting), at: soon), [.tell(AskSheet.allowedWriting)])
    }

    func testEachIsShownInFullAndEscaped() throws {
        let request = try Fixtures.ask("rqst2345")
        let facts = request.shownFacts
        XCTAssertEqual(
            facts.map(\.label),
            [
                "Calls itself", "Token", "Connection", "Tags", "Tables", "Length", "Started by", "Refused", "Why", "Schema",
                "Asked", "Value 1", "Value 2",
            ])
        let value = { (label: String) in facts.first { $0.label == label }?.value }
        XCTAssertEqual(value("Tags"), "red, prod")
        XCTAssertEqual(value("Calls itself"), "Claude Code\\u{202e}")
        XCTAssertEqual(facts[0].standing, .claim)
        XCTAssertEqual(value("Started by"), "claude, bash")
        XCTAssertEqual(value("Refused"), "The connection is read only for AI clients.")
        XCTAssertEqual(value("Asked"), "3 times")
        XCTAssertEqual(value("Value 1"), "\"groß\"")
        XCTAssertEqual(value("Value 2"), "null")
        XCTAssertEqual(request.statementRows.map(\.text), ["UPDATE \"größen\"", "SET n = $1"])
        let firstUse = try Fixtures.ask("rqst6789")
        XCTAssertEqual(firstUse.shownFacts.first { $0.label == "If approved" }?.value, "Read only, for 8 hours.")
        XCTAssertEqual(firstUse.statementRows, [])
        let hidden = try Fixtures.ask("rqst2345") {
            $0.statement?.askedStatement.text = "SELECT 1\u{202e}; --"
            $0.statement?.statementContext.parameters = ["\"\u{202e}\""]
        }
        XCTAssertEqual(hidden.shownFacts.last?.value, "\"\\u{202e}\"")
        XCTAssertEqual(hidden.statementRows.map(\.text), ["SELECT 1\\u{202e}; --"])
        XCTAssertEqual(hidden.line, "SELECT 1\\u{202e}; --")
        let refused = Language.$current.withValue(try .german()) { request.shownFacts.first { $0.label == "Abgelehnt" } }
        XCTAssertEqual(refused?.value, "Die Verbindung ist für KI-Clients nur lesbar.")
    }

    private func said(_ code: String, _ values: [String]) -> Said {
        let parts = code.components(separatedBy: "%@")
        let text = zip(parts, values + [""]).map { $0 + $1 }.joined()
        return Said(text: text, parts: [ReasonPart(code: code, values: values)])
    }

    func testWhatBecameOfIt() throws {
        let ran = said("Ran; %@ rows changed.", ["3"])
        let failed = said("Number %@ did not run. %@", ["2", "No\u{202e} such table."])
        var outcome = DeskDecision(ids: ["0", "1"], answer: .run, ran: [], said: [ran], problem: failed)
        XCTAssertEqual(outcome.outcome, "Ran; 3 rows changed. Number 2 did not run. No\\u{202e} such table.")
        Language.$current.withValue(try .german()) {
            XCTAssertEqual(
                outcome.outcome,
                "Ausgeführt; 3 Zeilen geändert. Nummer 2 wurde nicht ausgeführt. No\\u{202e} such table.")
        }
        outcome.said = [Said(text: "Of a newer daemon\u{202e}.", parts: [])]
        outcome.problem = nil
        XCTAssertEqual(outcome.outcome, "Of a newer daemon\\u{202e}.")
        let sample = try Fixtures.read(Fixtures.Answered<DeskDecision>.self, "control/desk.decide-run.result").result
        XCTAssertEqual(sample.outcome, "Ran; 3 rows changed. Truncated.")

        var desk = desk(try writes(2), isShown: true)
        desk.handle(.tickedAll(true), at: now)
        let id = "request1 request2"
        _ = desk.handle(.endShown(of: try XCTUnwrap(desk.sheet?.reading)), for: id, at: now)
        XCTAssertNotNil(desk.handle(.pressed(.run), for: id, at: soon))
        let half = DeskDecision(
            ids: ["request1", "request2"], answer: .run,
            ran: [
                RequestRun(id: "request1", rowsAffected: 1, warnings: [], failed: nil),
                RequestRun(id: "request2", rowsAffected: nil, warnings: [], failed: "No."),
            ], said: [ran], problem: failed)
        _ = desk.handle(.answered(half), for: id, at: soon)
        XCTAssertEqual(desk.asks.map(\.id), ["request2"], "what did not run still waits")
        XCTAssertNil(desk.sheet, "a second click answers nothing")
        XCTAssertEqual(desk.remark, "Ran; 3 rows changed. Number 2 did not run. No\\u{202e} such table.")
        desk.handle(.ticked(id: "request2", true), at: soon)
        XCTAssertNil(desk.outcome)
    }

    // MARK: The app

    private func connected(_ asks: [AskView] = []) throws -> ShellState {
        var state = ShellState(start: .byLink)
        state.link = .connected
        let status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        _ = state.handle(.attachment(ShellAttachment(asks: asks, status: status)), at: now)
        return state
    }

    private func asked(_ view: AskView) -> ShellEvent {
        .notification(.deskChanged(DeskChange(waiting: 1, asked: view, ended: nil)))
    }

    private func ended(_ id: String, _ because: WithdrawalReason = .cancelled) -> ShellEvent {
        .notification(.deskChanged(DeskChange(waiting: 0, asked: nil, ended: .init(id: id, because: because))))
    }

    func testTheMenuSaysHowMuchWaits() throws {
        var state = try connected()
        XCTAssertFalse(state.presence.shown.menuBar)
        for view in [try Fixtures.ask("k3m9x2pq"), try Fixtures.ask("rqst2345")] { _ = state.handle(asked(view), at: now) }
        XCTAssertTrue(state.presence.shown.menuBar)
        XCTAssertEqual(state.menu.icon, .asking)
        XCTAssertEqual(state.menu.badge, "2")
        XCTAssertTrue(state.menu.items.contains(.button(.showDesk, "2 wait for you…")))
        XCTAssertTrue(state.menu.spoken.hasSuffix(". 2 wait for you"), state.menu.spoken)
        _ = state.handle(ended("k3m9x2pq"), at: now)
        XCTAssertTrue(state.menu.items.contains(.button(.showDesk, "1 waits for you…")))
        _ = state.handle(.link(.lost), at: now)
        XCTAssertFalse(state.presence.shown.menuBar)
        XCTAssertNil(state.menu.badge)
        XCTAssertFalse(state.menu.items.contains { if case .button(.showDesk, _) = $0 { true } else { false } })
        XCTAssertTrue(try connected([try Fixtures.ask("rqst2345")]).presence.shown.menuBar, "what waited before the app came")
    }

    func testAPairingBehindAnotherIsNotCounted() throws {
        var state = try connected()
        let second = try Fixtures.ask("t5y7w3kd") {
            $0.id = "second"
            $0.pairing?.hasTurn = false
        }
        for view in [try Fixtures.ask("t5y7w3kd"), second] { _ = state.handle(asked(view), at: now) }
        XCTAssertEqual(state.menu.badge, "1", "as many as the window lists")
    }

    func testAPairingComesToTheFrontOverAnotherCard() throws {
        var state = try connected([try question("a"), try question("b")])
        XCTAssertEqual(state.handle(.pairingBegun(try Fixtures.ask("t5y7w3kd")), at: now), [.showWindow(.desk)])
        XCTAssertEqual(state.desk.sheet?.id, "a", "the card that is read stays")
        XCTAssertEqual(state.handle(.desk(.ticked(id: "t5y7w3kd", true)), at: now), [], "the window is there")
        XCTAssertEqual(state.desk.sheet?.id, "t5y7w3kd")
    }

    func testARequestIsToldOfOnceAndOpensNoWindow() throws {
        var state = try connected()
        let told = state.handle(asked(try Fixtures.ask("rqst2345")), at: now)
        guard case .noticeIfWanted(.post(let id, let title, let body))? = told.first, told.count == 1 else {
            return XCTFail("\(told)")
        }
        XCTAssertEqual([title, body], ["Run a write statement?", "Größe 数据, “Claude Code\\u{202e}”"])
        XCTAssertNil(state.desk.sheet)
        XCTAssertEqual(state.handle(asked(try Fixtures.ask("rqst2345") { $0.times = 4 }), at: now), [], "asked again")
        XCTAssertEqual(state.desk.asks.map(\.times), [4])
        XCTAssertTrue(state.isNews(id))
        XCTAssertEqual(
            state.handle(.noticeClicked(id: id), at: now),
            [.sheet(id: "rqst2345", .open(.init(ids: ["rqst2345"]))), .showWindow(.desk)])
        XCTAssertEqual(state.handle(.seen(.desk), at: now), [.notice(.withdraw(id: id))])
        XCTAssertEqual(state.handle(ended("rqst2345", .no), at: now), [.notice(.withdraw(id: id))])
        XCTAssertEqual(state.desk.sheet?.remark(at: now), "It was answered with no elsewhere.")
        XCTAssertEqual(state.handle(.sheet(id: "rqst2345", .closed), at: now), [.closeWindow(.desk)])
        XCTAssertFalse(state.isNews(id))

        var waited = try connected()
        let status = try XCTUnwrap(waited.status)
        let attached = waited.handle(.attachment(.init(asks: [try Fixtures.ask("rqst2345")], status: status)), at: now)
        XCTAssertEqual(attached, [], "it waited before the app came")
        XCTAssertEqual(
            waited.handle(.link(.lost), at: now), [.notice(.withdraw(id: id))], "nobody knows whether it still waits")
    }

    func testFiguresThatChangeUnderAPassphraseAreReadAnew() throws {
        let shown = try Fixtures.opened()
        var desk = desk([shown], isShown: true)
        _ = desk.handle(.endShown(of: try XCTUnwrap(desk.sheet?.reading)), for: "rqst2345", at: soon)
        _ = desk.handle(.pressed(.yes), for: "rqst2345", at: soon)
        _ = desk.handle(.refused(try Fixtures.read(ControlRefusal.self, "control/error.confirm").error), for: "rqst2345", at: soon)
        var more = shown
        more.statement?.askedStatement.takes?.lines = ["changes 5,000 rows of public.größen"]
        desk.add([more], at: soon)
        XCTAssertNil(desk.handle(.typedPassphrase("correct horse"), for: "rqst2345", at: soon), "it was typed below another figure")
        XCTAssertEqual(desk.sheet?.deciding.isOpen, true)
        XCTAssertEqual(desk.sheet?.endWasShown, false)
    }

    func testAnAnswerThatIsOnItsWayIsWaitedFor() throws {
        var state = try connected([try Fixtures.opened()])
        XCTAssertEqual(state.handle(.chose(.showDesk), at: now), [.showWindow(.desk)], "its rows are counted")
        let reading = try XCTUnwrap(state.desk.sheet?.reading)
        _ = state.handle(.sheet(id: "rqst2345", .endShown(of: reading)), at: now)
        let takes = state.desk.sheet?.views.compactMap { $0.statement?.askedStatement.takes }
        let run = Command.DeskDecide(ids: ["rqst2345"], answer: .run, takes: takes)
        XCTAssertEqual(state.handle(.sheet(id: "rqst2345", .pressed(.run)), at: soon), [.sheet(id: "rqst2345", .decide(run))])
        _ = state.handle(ended("rqst2345", .yes), at: soon)
        XCTAssertEqual(state.desk.sheet?.deciding.phase, .sent(.run), "it no longer waits, as it runs")
        XCTAssertEqual(state.handle(.sheet(id: "rqst2345", .closed), at: soon), [])
        let once = RequestRun(id: "rqst2345", rowsAffected: 2, warnings: [])
        let ran = DeskDecision(ids: ["rqst2345"], answer: .run, ran: [once], said: [said("Ran; %@ rows changed.", ["2"])])
        XCTAssertEqual(state.handle(.sheet(id: "rqst2345", .answered(ran)), at: soon), [])
        XCTAssertEqual(state.desk.remark, "Ran; 2 rows changed.")
        XCTAssertEqual(state.handle(.desk(.left), at: soon), [.closeWindow(.desk)])
    }

    func testLeftWaitingItWaits() throws {
        var state = try connected([try Fixtures.ask("rqst6789")])
        _ = state.handle(.chose(.showDesk), at: now)
        XCTAssertEqual(state.handle(.sheet(id: "rqst6789", .closed), at: now), [.closeWindow(.desk)])
        XCTAssertEqual(state.menu.badge, "1")
        _ = state.handle(.presence(.closed(.desk)), at: now)
        _ = state.handle(asked(try Fixtures.ask("k3m9x2pq")), at: now)
        _ = state.handle(.desk(.ticked(id: "rqst6789", true)), at: now)
        XCTAssertEqual(state.handle(.sheet(id: "rqst6789", .closed), at: now), [], "somebody else waits")
        XCTAssertEqual(state.desk.sheet?.id, "k3m9x2pq")
    }

    func testWhatNobodyConfirmedIsSaid() throws {
        var state = try connected()
        guard case .tell(let sentence)? = state.handle(.unconfirmed, at: now).first else { return XCTFail() }
        XCTAssertTrue(sentence.hasPrefix("Nobody confirmed that: the owner passphrase is off, "), sentence)
    }
}
