import Foundation
import XCTest

@testable import ShellRules

/// The approval sheet and the question: what a press does, and when it has no effect.
final class SheetTests: XCTestCase {
    private let start = moment("2026-11-20T12:00:00.000Z", uptime: 100)
    private let later = moment("2026-11-20T12:00:01.000Z", uptime: 101)
    private let atTheEnd = moment("2026-11-20T12:05:00.000Z", uptime: 400)

    private func begun() throws -> PairingSheet {
        PairingSheet(try Fixtures.read(Fixtures.Answered<PairingView>.self, "control/pairing.begin.result").result, at: start)
    }

    /// A sheet whose connections are ticked.
    private func pairing() throws -> PairingSheet {
        var sheet = try begun()
        _ = sheet.handle(.tickedAll(true), at: start)
        return sheet
    }

    private func question(_ change: (inout ApprovalView) -> Void = { _ in }) throws -> QuestionSheet {
        var view = try Fixtures.read(Fixtures.Sent<ApprovalView>.self, "control/approval.asked.notification").params
        change(&view)
        return QuestionSheet(view, at: start)
    }

    private func refusal(_ name: String) throws -> ControlError {
        try Fixtures.read(ControlRefusal.self, "control/\(name)").error
    }

    // MARK: The approval sheet

    func testApproveDoesNothingInTheFirst700Milliseconds() throws {
        var sheet = try pairing()
        let early = Moment(wall: start.wall, uptimeSeconds: 100.699)
        XCTAssertEqual(sheet.approveButton(at: early), .dimmed("One moment…"))
        XCTAssertNil(sheet.handle(.pressed(.approve), at: early))
        XCTAssertTrue(sheet.deciding.isOpen)
        let heard = Moment(wall: start.wall, uptimeSeconds: 100.7)
        XCTAssertEqual(sheet.approveButton(at: heard), .enabled)
        XCTAssertNotNil(sheet.handle(.pressed(.approve), at: heard))
    }

    func testComingToTheFrontBeginsTheWaitAnew() throws {
        var sheet = try pairing()
        _ = sheet.handle(.cameToFront, at: later)
        XCTAssertNil(sheet.handle(.pressed(.approve), at: Moment(wall: later.wall, uptimeSeconds: 101.5)))
        XCTAssertNotNil(sheet.handle(.pressed(.approve), at: Moment(wall: later.wall, uptimeSeconds: 101.7)))
    }

    func testDenyIsHeardAtOnceAndIsTheDefault() throws {
        var sheet = try pairing()
        XCTAssertEqual(sheet.deciding.denyButton(at: start), .enabled)
        XCTAssertEqual(sheet.handle(.pressed(.deny), at: start), .decide(.deny(id: sheet.id), passphrase: nil))
    }

    func testOnlyOneVerdictIsGiven() throws {
        var sheet = try pairing()
        XCTAssertNotNil(sheet.handle(.pressed(.deny), at: later))
        for press in [PairingSheet.Event.pressed(.approve), .pressed(.deny), .closed] {
            XCTAssertNil(sheet.handle(press, at: later))
        }
        XCTAssertFalse(sheet.approveButton(at: later).isEnabled)
        XCTAssertFalse(sheet.deciding.denyButton(at: later).isEnabled)
        let address = "http://127.0.0.1:1/?error=denied"
        let answer = PairingAnswer(id: sheet.id, address: address, token: nil)
        let another = PairingAnswer(id: "another", address: address, token: nil)
        XCTAssertNil(sheet.handle(.answered(another), at: later), "of another pairing")
        XCTAssertEqual(sheet.handle(.answered(answer), at: later), .open(address, takenBy: nil))
        XCTAssertNil(sheet.handle(.answered(answer), at: later), "opened once")
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testAnAppsAddressIsOpenedWithTheAppThatWasNamedAndANoMayOpenNothing() throws {
        var view = try pairing().view
        view.redirect = PairingRedirect(address: "editor://pair", receiver: "Editor", kind: .anybodys)
        var approved = PairingSheet(view, at: start)
        _ = approved.handle(.tickedAll(true), at: start)
        XCTAssertNotNil(approved.handle(.pressed(.approve), at: later))
        let yes = PairingAnswer(id: view.id, address: "editor://pair?code=x", token: "x")
        XCTAssertEqual(approved.handle(.answered(yes), at: later), .open("editor://pair?code=x", takenBy: "Editor"))

        var denied = PairingSheet(view, at: start)
        XCTAssertNotNil(denied.handle(.pressed(.deny), at: later))
        XCTAssertNil(denied.handle(.answered(PairingAnswer(id: view.id, address: nil, token: nil)), at: later))
        XCTAssertTrue(denied.deciding.isOver)
    }

    func testWhatWasChosenIsWhatIsSent() throws {
        var sheet = try pairing()
        let id = sheet.view.connections[0].id
        for event in [PairingSheet.Event.choseScope(.fullAccess), .choseExpiry(.never), .tickedAll(false), .ticked(id: id, true)] {
            XCTAssertNil(sheet.handle(event, at: start))
        }
        XCTAssertEqual(sheet.scopeNote, .more("more than asked: Read & Write"))
        XCTAssertEqual(
            sheet.handle(.pressed(.approve), at: later),
            .decide(.approve(id: sheet.id, scope: .fullAccess, connections: .only([id]), expires: .never), passphrase: nil))
        XCTAssertNil(sheet.handle(.choseScope(.readOnly), at: later))
        XCTAssertEqual(sheet.scope, .fullAccess, "what was sent stays on the sheet")
    }

    func testNoConnectionTickedDimsApprove() throws {
        var sheet = try pairing()
        _ = sheet.handle(.tickedAll(false), at: start)
        XCTAssertEqual(sheet.approveButton(at: later), .dimmed("Tick a connection to approve."))
        XCTAssertNil(sheet.handle(.pressed(.approve), at: later))
        XCTAssertEqual(sheet.deciding.denyButton(at: later), .enabled)
        _ = sheet.handle(.ticked(id: "no such connection", true), at: start)
        XCTAssertTrue(sheet.isNoneTicked)
    }

    func testAllIsAChoiceOfThoseThatAreThereAndIsNotTheBeginning() throws {
        var sheet = try begun()
        XCTAssertTrue(sheet.isNoneTicked)
        XCTAssertFalse(sheet.areAllTicked)
        XCTAssertEqual(sheet.scope, sheet.view.scope, "as it was asked for")
        _ = sheet.handle(.tickedAll(true), at: start)
        XCTAssertTrue(sheet.areAllTicked)
        XCTAssertEqual(sheet.ticked, .only(sheet.view.connections.map(\.id)), "and no later ones")
    }

    func testUntickingOneOfAllLeavesTheOthers() throws {
        var view = try pairing().view
        let second = PairingConnection(id: "b", name: "B", engine: .mysql, externalClients: .blocked)
        view.connections.append(second)
        var sheet = PairingSheet(view, at: start)
        _ = sheet.handle(.tickedAll(true), at: start)
        XCTAssertEqual(sheet.rows.map(\.isTicked), [true, true])
        _ = sheet.handle(.ticked(id: "b", false), at: start)
        XCTAssertEqual(sheet.ticked, .only([view.connections[0].id]))
        XCTAssertEqual(sheet.rows[1].detail, "MySQL or MariaDB, Blocked")
    }

    func testTheFiveMinutesDimApprove() throws {
        var sheet = try pairing()
        XCTAssertEqual(sheet.deciding.countdown(at: start).clock, "5:00")
        XCTAssertEqual(sheet.deciding.countdown(at: moment("2026-11-20T12:04:50.500Z")).clock, "0:10")
        XCTAssertFalse(sheet.approveButton(at: atTheEnd).isEnabled)
        XCTAssertNil(sheet.handle(.pressed(.approve), at: atTheEnd))
        XCTAssertNil(sheet.handle(.pressed(.deny), at: atTheEnd))
        XCTAssertEqual(sheet.handle(.closed, at: atTheEnd), .tellClosed(Command.PairingClose(id: sheet.id)))
    }

    func testAWallClockSetBackDoesNotMakeTheSheetDeafOrWait() throws {
        var sheet = try pairing()
        let back = Moment(wall: start.wall.addingTimeInterval(-3_600), uptimeSeconds: 101)
        XCTAssertNotNil(sheet.handle(.pressed(.approve), at: back), "the daemon has the last word")
    }

    func testClosingOpensNothing() throws {
        var sheet = try pairing()
        XCTAssertEqual(sheet.handle(.closed, at: start), .tellClosed(Command.PairingClose(id: sheet.id)))
        XCTAssertTrue(sheet.deciding.isOver)
        XCTAssertNil(sheet.handle(.answered(PairingAnswer(id: sheet.id, address: "x", token: nil)), at: start))
    }

    func testTheOwnerConfirmsAndTheVerdictIsSentAgain() throws {
        var sheet = try pairing()
        let sent = sheet.handle(.pressed(.approve), at: later)
        XCTAssertNil(sheet.handle(.refused(try refusal("error.confirm")), at: later))
        guard case .passphrase(.approve, let wanted) = sheet.deciding.phase else { return XCTFail("no passphrase wanted") }
        XCTAssertEqual(PassphrasePrompt(wanted).changes.count, 5)
        XCTAssertTrue(wanted.sentence.hasPrefix("This makes a Read & Write token"))
        XCTAssertNil(sheet.handle(.pressed(.deny), at: later))
        guard case .decide(let first, nil)? = sent,
            case .decide(let again, let passphrase)? = sheet.handle(.typedPassphrase("p"), at: later)
        else { return XCTFail("not sent again") }
        XCTAssertEqual(again, first)
        XCTAssertEqual(passphrase?.text, "p")
        XCTAssertEqual(passphrase?.isFirst, false)
    }

    func testAFirstPassphraseIsToBeSetBeforeTheVerdictIsSentAgain() throws {
        var sheet = try pairing()
        _ = sheet.handle(.pressed(.approve), at: later)
        XCTAssertNil(sheet.handle(.refused(try refusal("error.choose")), at: later))
        guard case .passphrase(.approve, let wanted) = sheet.deciding.phase else { return XCTFail("no passphrase wanted") }
        XCTAssertTrue(PassphrasePrompt(wanted).isFirst)
        guard case .decide(_, let passphrase)? = sheet.handle(.typedPassphrase("p"), at: later) else {
            return XCTFail("not sent again")
        }
        XCTAssertEqual(passphrase?.isFirst, true)
    }

    func testAPassphraseGivenUpLeavesTheSheetOpen() throws {
        var sheet = try pairing()
        _ = sheet.handle(.pressed(.approve), at: later)
        _ = sheet.handle(.refused(try refusal("error.confirm")), at: later)
        _ = sheet.handle(.gaveUpPassphrase, at: later)
        XCTAssertTrue(sheet.deciding.isOpen)
        XCTAssertNil(sheet.handle(.pressed(.approve), at: later), "deaf again")
        XCTAssertNotNil(sheet.handle(.pressed(.deny), at: later))
    }

    func testARefusalIsShownAndAnotherVerdictTaken() throws {
        var sheet = try pairing()
        _ = sheet.handle(.pressed(.approve), at: later)
        _ = sheet.handle(.refused(try refusal("error.refused")), at: later)
        XCTAssertEqual(sheet.remark(at: later)?.hasPrefix("There is no connection"), true)
        XCTAssertNotNil(sheet.handle(.pressed(.deny), at: later))
    }

    func testALostConnectionEndsTheSheetWithASentence() throws {
        var sheet = try pairing()
        _ = sheet.handle(.connectionLost, at: later)
        XCTAssertFalse(sheet.deciding.isOver, "it says so until it is closed")
        XCTAssertEqual(sheet.remark(at: later)?.contains("lost"), true)
        XCTAssertNil(sheet.handle(.pressed(.deny), at: later))
        XCTAssertNil(sheet.handle(.closed, at: later))
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testFactsAndClaimsAreApart() throws {
        var view = try pairing().view
        view.client = "Evil\u{202e}\nApproved by your administrator" + String(repeating: "x", count: 90)
        view.redirect.receiver = nil
        let facts = PairingSheet(view, at: start).facts
        XCTAssertEqual(facts.map(\.standing), [.claim, .fact, .fact])
        XCTAssertTrue(facts[0].value.hasPrefix("Evil\\u{202e}\\u{a}Approved"))
        XCTAssertEqual(facts[0].value.unicodeScalars.count, 64)
        XCTAssertEqual(facts[1].value, "http://127.0.0.1:8123/callback")
        XCTAssertEqual(facts[2].value, "Nobody listens there, or unknown")
        XCTAssertTrue(facts[0].spoken.contains("not verified"))
    }

    func testOneSheetAtATimeInTheirTurn() throws {
        var queue = PairingQueue()
        var view = try pairing().view
        queue.add(view, at: start)
        view.id = "second"
        view.waits = true
        queue.add(view, at: start)
        XCTAssertEqual(queue.current?.id, "3f0c9a51-7d0e-4c39-9a55-6f2b1c7d9e10")
        queue.turn(of: "second", at: start)
        XCTAssertEqual(queue.current?.id, "3f0c9a51-7d0e-4c39-9a55-6f2b1c7d9e10", "an open one is never replaced")
        XCTAssertNotNil(queue.handle(.closed, at: later))
        XCTAssertEqual(queue.current?.id, "second")
        XCTAssertFalse(try XCTUnwrap(queue.current).approveButton(at: later).isEnabled, "drawn just now")
        queue.connectionLost(at: later)
        XCTAssertEqual(queue.current?.deciding.ending, .lost)
    }

    func testASheetThatIsOverGivesWayToTheNext() throws {
        let first = try pairing().view
        var second = first
        second.id = "second"
        second.expiresAt = "2026-11-20T12:10:00.000Z"
        var lost = PairingQueue()
        lost.add(first, at: start)
        lost.connectionLost(at: later)
        XCTAssertEqual(lost.current?.deciding.ending, .lost, "it says so for as long as none comes")
        lost.add(second, at: later)
        XCTAssertEqual(lost.current?.id, "second")

        var expired = PairingQueue()
        expired.add(first, at: start)
        second.waits = true
        expired.add(second, at: atTheEnd)
        XCTAssertEqual(expired.current?.id, first.id, "the daemon hasn't said that the next may be drawn")
        expired.turn(of: "second", at: atTheEnd)
        XCTAssertEqual(expired.current?.id, "second")
        XCTAssertEqual(expired.waitingCount, 0)
        XCTAssertFalse(try XCTUnwrap(expired.current).approveButton(at: atTheEnd).isEnabled, "drawn just now")

        var sent = PairingQueue()
        sent.add(first, at: start)
        _ = sent.handle(.tickedAll(true), at: start)
        XCTAssertNotNil(sent.handle(.pressed(.approve), at: later))
        second.waits = false
        sent.add(second, at: atTheEnd)
        XCTAssertEqual(sent.current?.id, first.id, "its answer is on its way, and has an address to open")
        let answer = PairingAnswer(id: first.id, address: "http://127.0.0.1:1/", token: nil)
        XCTAssertEqual(sent.handle(.answered(answer), at: atTheEnd), .open("http://127.0.0.1:1/", takenBy: nil))
        XCTAssertEqual(sent.current?.id, "second")
    }

    // MARK: Questions

    func testApproveIsReachableOnlyAfterTheStatementsEndWasShown() throws {
        var sheet = try question()
        XCTAssertNil(sheet.handle(.pressed(.approve), at: later))
        XCTAssertEqual(sheet.approveButton(at: later), .dimmed("Read the statement to its end to approve it."))
        _ = sheet.handle(.endShown, at: later)
        XCTAssertEqual(
            sheet.handle(.pressed(.approve), at: later),
            .decide(Command.ApprovalsDecide(id: sheet.id, answer: .yes), passphrase: nil))
        XCTAssertNil(sheet.handle(.pressed(.approve), at: later))
    }

    func testTheEndShownWithinTheFirstMomentStillWaits() throws {
        var sheet = try question()
        _ = sheet.handle(.endShown, at: start)
        XCTAssertNil(sheet.handle(.pressed(.approve), at: Moment(wall: start.wall, uptimeSeconds: 100.5)))
    }

    func testAFirstUseHasNothingToRead() throws {
        var sheet = try question {
            $0.kind = .firstUse
            $0.statement = nil
        }
        XCTAssertEqual(sheet.statementRows, [])
        XCTAssertEqual(sheet.approveButton(at: later), .enabled)
        XCTAssertNotNil(sheet.handle(.pressed(.approve), at: later))
    }

    func testClosingTheWindowIsANo() throws {
        var sheet = try question()
        XCTAssertEqual(
            sheet.handle(.closed, at: start), .decide(Command.ApprovalsDecide(id: sheet.id, answer: .no), passphrase: nil))
        _ = sheet.handle(.taken(ApprovalDecision(id: sheet.id, answer: .no)), at: start)
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testAWithdrawnQuestionTakesNoAnswer() throws {
        var sheet = try question()
        _ = sheet.handle(.withdrawn(.cancelled), at: later)
        _ = sheet.handle(.endShown, at: later)
        XCTAssertNil(sheet.handle(.pressed(.approve), at: later))
        XCTAssertEqual(sheet.remark(at: later), "It was withdrawn: the program that asked no longer waits.")
        XCTAssertNil(sheet.handle(.closed, at: later))
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testOurOwnAnswerIsNotTakenForSomebodyElses() throws {
        var sheet = try question()
        _ = sheet.handle(.pressed(.deny), at: later)
        _ = sheet.handle(.withdrawn(.no), at: later)
        XCTAssertEqual(sheet.deciding.phase, .sent(.deny))
        _ = sheet.handle(.withdrawn(.timeout), at: later)
        XCTAssertEqual(sheet.deciding.ending, .withdrawn(.timeout))
    }

    func testAQuestionShowsWhatWouldBeRunEscaped() throws {
        let sheet = try question { $0.statement?.text = "DROP TABLE a;\u{202e}\n\t-- \u{1b}[2J" }
        assertSameText(
            sheet.statementRows.filter(\.isText).map(\.text).joined(separator: "\n"), "DROP TABLE a;\\u{202e}\n\t-- \\u{1b}[2J")
        XCTAssertEqual(sheet.title, "“Claude Code\\u{202e}” asks to run a destructive statement on Größe 数据.")
        let facts = Dictionary(uniqueKeysWithValues: sheet.facts.map { ($0.label, $0) })
        XCTAssertEqual(facts["Client"]?.standing, .claim)
        XCTAssertEqual(facts["Length"]?.value, "22 characters, 2 lines")
        XCTAssertEqual(facts["Tables"]?.value, "größen")
        XCTAssertEqual(sheet.facts.filter { $0.standing == .claim }.count, 1)
    }

    func testATitleNamesTheConnectionAndHasTheClassAloneInBold() throws {
        let hostile = "destructive\u{1}now\u{1}"
        let sheet = try question { ($0.client, $0.connection.name) = (hostile, "destructive") }
        XCTAssertEqual(
            sheet.titleParts, ["“destructive\\u{1}now\\u{1}” asks to run a ", "destructive", " statement on destructive."])
        let write = try question { $0.statement?.class = .write }
        let first = try question { ($0.kind, $0.statement) = (.firstUse, nil) }
        Language.$current.withValue(try .german()) {
            XCTAssertEqual(
                write.titleParts, ["„Claude Code\\u{202e}“ möchte eine ", "schreibende", " Anweisung auf Größe 数据 ausführen."])
            XCTAssertEqual(first.titleParts, ["„Claude Code\\u{202e}“ möchte Größe 数据 verwenden."])
            XCTAssertEqual(write.facts.first { $0.label == "Tags" }?.value, "Rot, prod")
        }
    }

    func testAReasonIsWordedByItsCodeAndElseSaidAsTheDaemonSaysIt() throws {
        func why(_ parts: [(String, [String])], _ language: Language) throws -> String? {
            let sheet = try question {
                $0.statement?.reason = "It is %@\u{202e} so."
                $0.statement?.reasonParts = parts.map { ReasonPart(code: $0, values: $1) }
            }
            return Language.$current.withValue(language) { sheet.facts.first { $0.label == localized("Why") }?.value }
        }
        let (german, said) = (try Language.german(), "It is %@\\u{202e} so.")
        let deletes = "DELETE without a WHERE removes every row of %@."
        let long = String(repeating: "x", count: 10_000)
        XCTAssertEqual(try why([(deletes, ["größen"])], german), "DELETE ohne WHERE löscht alle Zeilen von größen.")
        XCTAssertEqual(
            try why([("Behind %@:", ["f %@ %n"]), (deletes, ["a\u{202e}\nb%@" + long])], german),
            "Hinter f %@ %n: DELETE ohne WHERE löscht alle Zeilen von a\\u{202e}\\u{a}b%@\(long).")
        XCTAssertEqual(try why([(deletes, ["t"])], .english), said, "without a table")
        XCTAssertEqual(try why([], german), said, "of an older daemon")
        XCTAssertEqual(try why([(deletes, ["t"]), ("Of a newer daemon: %@ %n.", ["x"])], german), said, "never half of it")
        for values in [[], ["a", "b"]] { XCTAssertEqual(try why([(deletes, values)], german), said, "\(values.count) values") }
    }

    func testWhatAStatementTakesStandsAboveItsText() throws {
        XCTAssertEqual(
            try question().statementRows,
            [
                StatementRow(id: 0, kind: .takes, text: "deletes 500 rows of public.größen"),
                StatementRow(id: 1, kind: .takes, text: "deletes 12 rows of public.posten\\u{202e}, by a foreign key"),
                StatementRow(id: 2, kind: .notCounted, text: "The effects of a trigger of public.größen could not be counted."),
                StatementRow(id: 3, kind: .line, text: "DELETE FROM"), StatementRow(id: 4, kind: .line, text: "  \"größen\""),
            ])
        let all = try question { $0.statement?.takes?.note = nil }
        XCTAssertEqual(all.statementRows.filter { $0.kind == .notCounted }, [])
        let nothing = try question { $0.statement?.takes = nil }
        XCTAssertTrue(nothing.statementRows.allSatisfy(\.isText))
        XCTAssertGreaterThan(try question().windowHeight, nothing.windowHeight, "no line of the statement makes room for it")
    }

    func testManyTablesAreCountedNotHidden() throws {
        let sheet = try question { $0.statement?.tables = (1...23).map { "t\($0)" } }
        XCTAssertEqual(sheet.facts.first { $0.label == "Tables" }?.value.hasSuffix("t20 and 3 more"), true)
    }

    func testQuestionsWaitInTheirOrderAndEachComesOnce() throws {
        let views = try Fixtures.read(Fixtures.Answered<ApprovalList>.self, "control/approvals.pending.result").result
            .questions
        var queue = SheetQueue<ApprovalView>()
        XCTAssertEqual(views.map { queue.add($0, at: start) }, [true, true])
        XCTAssertFalse(queue.add(views[0], at: start))
        XCTAssertEqual(queue.pendingCount, 2)
        _ = queue.handle(.pressed(.deny), for: views[0].id, at: later)
        _ = queue.handle(.taken(ApprovalDecision(id: views[0].id, answer: .no)), for: views[0].id, at: later)
        XCTAssertEqual(queue.current?.id, views[1].id)
        XCTAssertFalse(
            try XCTUnwrap(queue.current).approveButton(at: later).isEnabled, "it stands where the click was meant for the other")
    }

    func testOneAnsweredElsewhereGivesWayOnlyToAnother() throws {
        let views = try Fixtures.read(Fixtures.Answered<ApprovalList>.self, "control/approvals.pending.result").result
            .questions
        var queue = SheetQueue<ApprovalView>()
        _ = queue.add(views[0], at: start)
        _ = queue.handle(.withdrawn(.yes), for: views[0].id, at: later)
        XCTAssertEqual(queue.current?.deciding.ending, .withdrawn(.yes), "it says what became of it")
        XCTAssertEqual(queue.pendingCount, 0)
        _ = queue.add(views[1], at: later)
        XCTAssertEqual(queue.sheets.map(\.id), [views[1].id])
    }

    func testCountdownsAreReadAloudInWords() {
        let end = Instant.date("2026-11-20T12:05:00.000Z")
        XCTAssertEqual(Countdown(until: end, at: start.wall).spoken, "5 minutes left")
        XCTAssertEqual(Countdown(until: end, at: start.wall.addingTimeInterval(239)).spoken, "1 minute, 1 second left")
        XCTAssertEqual(Countdown(until: end, at: atTheEnd.wall).spoken, "Time is up")
        XCTAssertTrue(Countdown(until: Instant.date("not a time"), at: start.wall).isOver)
    }
}
