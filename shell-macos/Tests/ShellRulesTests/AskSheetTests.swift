import Foundation
import XCTest

@testable import ShellRules

/// The one card, of each kind: what a press does, and when it has no effect.
final class AskSheetTests: XCTestCase {
    private let start = moment("2026-11-20T12:00:00.000Z", uptime: 100)
    private let later = moment("2026-11-20T12:00:01.000Z", uptime: 101)
    private let atTheEnd = moment("2026-11-20T12:05:00.000Z", uptime: 400)

    private func begun(_ change: (inout AskView) -> Void = { _ in }) throws -> AskSheet {
        AskSheet([try Fixtures.ask("t5y7w3kd", change)], at: start)
    }

    /// A card whose connections are ticked.
    private func pairing(_ change: (inout AskView) -> Void = { _ in }) throws -> AskSheet {
        var sheet = try begun(change)
        _ = sheet.handle(.chose(.all(true)), at: start)
        return sheet
    }

    private func question(_ change: (inout AskView) -> Void = { _ in }) throws -> AskSheet {
        AskSheet([try Fixtures.ask("k3m9x2pq", change)], at: start)
    }

    private func increase(_ change: (inout AskView) -> Void = { _ in }) throws -> AskSheet {
        AskSheet([try Fixtures.ask("m4n8c2vb", change)], at: start)
    }

    private func read(_ sheet: AskSheet) -> AskSheet {
        var sheet = sheet
        _ = sheet.handle(.endShown(of: sheet.reading), at: start)
        return sheet
    }

    private func decides(_ sheet: AskSheet, _ answer: DeskAnswer) -> AskSheet.Effect {
        .decide(Command.DeskDecide(ids: sheet.ids, answer: answer))
    }

    private func refusal(_ name: String) throws -> ControlError {
        try Fixtures.read(ControlRefusal.self, "control/\(name)").error
    }

    // MARK: The approval sheet

    func testApproveDoesNothingInTheFirst700Milliseconds() throws {
        var sheet = try pairing()
        let early = Moment(wall: start.wall, uptimeSeconds: 100.699)
        XCTAssertEqual(sheet.yesButton(at: early), .dimmed("One moment…"))
        XCTAssertNil(sheet.handle(.pressed(.yes), at: early))
        XCTAssertTrue(sheet.deciding.isOpen)
        let heard = Moment(wall: start.wall, uptimeSeconds: 100.7)
        XCTAssertEqual(sheet.yesButton(at: heard), .enabled)
        XCTAssertNotNil(sheet.handle(.pressed(.yes), at: heard))
    }

    func testComingToTheFrontBeginsTheWaitAnew() throws {
        var sheet = try pairing()
        _ = sheet.handle(.cameToFront, at: later)
        XCTAssertNil(sheet.handle(.pressed(.yes), at: Moment(wall: later.wall, uptimeSeconds: 101.5)))
        XCTAssertNotNil(sheet.handle(.pressed(.yes), at: Moment(wall: later.wall, uptimeSeconds: 101.7)))
    }

    func testDenyIsHeardAtOnceAndIsTheDefault() throws {
        var sheet = try pairing()
        XCTAssertEqual(sheet.choices(at: start).map(\.keys), [[.commandReturn], []], "a key that was meant for another window")
        XCTAssertEqual(sheet.choices(at: later).map(\.keys), [[.commandReturn], [.returnKey, .escape]])
        XCTAssertEqual(sheet.deciding.noButton(at: start), .enabled)
        XCTAssertEqual(sheet.handle(.pressed(.no), at: start), decides(sheet, .no))
    }

    func testOnlyOneVerdictIsGiven() throws {
        var sheet = try pairing()
        XCTAssertNotNil(sheet.handle(.pressed(.no), at: later))
        for press in [AskSheet.Event.pressed(.yes), .pressed(.no), .closed] {
            XCTAssertNil(sheet.handle(press, at: later))
        }
        XCTAssertFalse(sheet.yesButton(at: later).isEnabled)
        XCTAssertFalse(sheet.deciding.noButton(at: later).isEnabled)
        let address = "http://127.0.0.1:1/?error=denied"
        let answer = Fixtures.decision(sheet.ids, .no, address: address)
        XCTAssertNil(
            sheet.handle(.answered(Fixtures.decision(["another"], .no, address: address)), at: later), "of another pairing")
        XCTAssertEqual(sheet.handle(.answered(answer), at: later), .visit(address, takenBy: nil))
        XCTAssertNil(sheet.handle(.answered(answer), at: later), "opened once")
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testAnAppsAddressIsOpenedWithTheAppThatWasNamedAndANoMayOpenNothing() throws {
        func ofAnApp(_ view: inout AskView) {
            view.pairing?.redirect = PairingRedirect(address: "editor://pair", receiver: "Editor", kind: .anybodys)
        }
        var approved = try pairing(ofAnApp)
        XCTAssertNotNil(approved.handle(.pressed(.yes), at: later))
        let yes = Fixtures.decision(approved.ids, .yes, address: "editor://pair?code=x")
        XCTAssertEqual(approved.handle(.answered(yes), at: later), .visit("editor://pair?code=x", takenBy: "Editor"))

        var denied = try pairing(ofAnApp)
        XCTAssertNotNil(denied.handle(.pressed(.no), at: later))
        XCTAssertNil(denied.handle(.answered(Fixtures.decision(denied.ids, .no)), at: later))
        XCTAssertTrue(denied.deciding.isOver)
    }

    func testWhatWasChosenIsWhatIsSent() throws {
        var sheet = try pairing()
        let id = sheet.views[0].pairing?.connections[0].id ?? ""
        for choice in [PairingChoices.Choice.scope(.fullAccess), .expiry(.never), .all(false), .one(id: id, true)] {
            XCTAssertNil(sheet.handle(.chose(choice), at: start))
        }
        XCTAssertEqual(sheet.pairing?.scopeNote, "more than asked: Read & Write")
        let grant = Command.DeskDecide.Grant(scope: .fullAccess, connections: .only([id]), expires: .never)
        XCTAssertEqual(
            sheet.handle(.pressed(.yes), at: later), .decide(.init(ids: ["t5y7w3kd"], answer: .yes, grant: grant)))
        XCTAssertNil(sheet.handle(.chose(.scope(.readOnly)), at: later))
        XCTAssertEqual(sheet.pairing?.scope, .fullAccess, "what was sent stays on the card")
    }

    func testNoConnectionTickedDimsApprove() throws {
        var sheet = try pairing()
        _ = sheet.handle(.chose(.all(false)), at: start)
        XCTAssertEqual(sheet.yesButton(at: later), .dimmed("Tick a connection to approve."))
        XCTAssertNil(sheet.handle(.pressed(.yes), at: later))
        XCTAssertEqual(sheet.deciding.noButton(at: later), .enabled)
        _ = sheet.handle(.chose(.one(id: "no such connection", true)), at: start)
        XCTAssertEqual(sheet.pairing?.ticked, [])
    }

    func testAllIsAChoiceOfThoseThatAreThereAndIsNotTheBeginning() throws {
        var sheet = try begun()
        XCTAssertEqual(sheet.pairing?.ticked, [])
        XCTAssertFalse(sheet.pairing?.areAllTicked == true)
        XCTAssertEqual(sheet.pairing?.scope, sheet.views[0].pairing?.scope, "as it was asked for")
        _ = sheet.handle(.chose(.all(true)), at: start)
        XCTAssertTrue(sheet.pairing?.areAllTicked == true)
        XCTAssertEqual(sheet.pairing?.ticked, sheet.views[0].pairing?.connections.map(\.id), "and no later ones")
    }

    func testUntickingOneOfAllLeavesTheOthers() throws {
        let second = PairingConnection(id: "b", name: "B", engine: .mysql, externalClients: .blocked)
        var sheet = try pairing { $0.pairing?.connections.append(second) }
        XCTAssertEqual(sheet.pairing?.rows.map(\.isTicked), [true, true])
        _ = sheet.handle(.chose(.one(id: "b", false)), at: start)
        XCTAssertEqual(sheet.pairing?.ticked, ["0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a11"])
        XCTAssertEqual(sheet.pairing?.rows[1].detail, "MySQL or MariaDB, Blocked")
    }

    func testTheFiveMinutesDimApprove() throws {
        var sheet = try pairing()
        XCTAssertEqual(sheet.deciding.countdown(at: start).clock, "5:00")
        XCTAssertEqual(sheet.deciding.countdown(at: moment("2026-11-20T12:04:50.500Z")).clock, "0:10")
        XCTAssertFalse(sheet.yesButton(at: atTheEnd).isEnabled)
        XCTAssertNil(sheet.handle(.pressed(.yes), at: atTheEnd))
        XCTAssertNil(sheet.handle(.pressed(.no), at: atTheEnd))
        XCTAssertEqual(sheet.handle(.closed, at: atTheEnd), decides(sheet, .close))
    }

    func testAWallClockSetBackDoesNotMakeTheSheetDeafOrWait() throws {
        var sheet = try pairing()
        let back = Moment(wall: start.wall.addingTimeInterval(-3_600), uptimeSeconds: 101)
        XCTAssertNotNil(sheet.handle(.pressed(.yes), at: back), "the daemon has the last word")
    }

    func testClosingOpensNothing() throws {
        var sheet = try pairing()
        XCTAssertEqual(sheet.handle(.closed, at: start), decides(sheet, .close))
        XCTAssertTrue(sheet.deciding.isOver)
        XCTAssertNil(sheet.handle(.answered(Fixtures.decision(sheet.ids, .close, address: "x")), at: start))
    }

    func testTheOwnerConfirmsAndTheVerdictIsSentAgain() throws {
        var sheet = try pairing()
        let sent = sheet.handle(.pressed(.yes), at: later)
        XCTAssertNil(sheet.handle(.refused(try refusal("error.confirm")), at: later))
        guard case .passphrase(.yes, let wanted) = sheet.deciding.phase else { return XCTFail("no passphrase wanted") }
        XCTAssertEqual(PassphrasePrompt(wanted).changes.count, 5)
        XCTAssertEqual(PassphrasePrompt(wanted, wasRead: true).changes, [])
        XCTAssertTrue(wanted.sentence.hasPrefix("This makes a Read & Write token"))
        XCTAssertNil(sheet.handle(.pressed(.no), at: later))
        guard case .decide(let first, nil)? = sent,
            case .decide(let again, let passphrase)? = sheet.handle(.typedPassphrase("p"), at: later)
        else { return XCTFail("not sent again") }
        XCTAssertEqual(again, first)
        XCTAssertEqual(passphrase, "p")
    }

    func testAPassphraseGivenUpLeavesTheSheetOpen() throws {
        var sheet = try pairing()
        _ = sheet.handle(.pressed(.yes), at: later)
        _ = sheet.handle(.refused(try refusal("error.confirm")), at: later)
        _ = sheet.handle(.gaveUpPassphrase, at: later)
        XCTAssertTrue(sheet.deciding.isOpen)
        XCTAssertNil(sheet.handle(.pressed(.yes), at: later), "deaf again")
        XCTAssertNotNil(sheet.handle(.pressed(.no), at: later))
    }

    func testARefusalIsShownAndAnotherVerdictTaken() throws {
        var sheet = try pairing()
        _ = sheet.handle(.pressed(.yes), at: later)
        _ = sheet.handle(.refused(try refusal("error.refused")), at: later)
        XCTAssertEqual(sheet.remark(at: later)?.hasPrefix("There is no connection"), true)
        XCTAssertNotNil(sheet.handle(.pressed(.no), at: later))
    }

    func testALostConnectionEndsTheSheetWithASentence() throws {
        var sheet = try pairing()
        _ = sheet.handle(.connectionLost, at: later)
        XCTAssertFalse(sheet.deciding.isOver, "it says so until it is closed")
        XCTAssertEqual(sheet.remark(at: later)?.contains("lost"), true)
        XCTAssertNil(sheet.handle(.pressed(.no), at: later))
        XCTAssertNil(sheet.handle(.closed, at: later))
        XCTAssertTrue(sheet.deciding.isOver)
        for (answer, said) in [(DeskAnswer.yes, "its log says why"), (.no, "not allowed")] {
            var sent = read(try question())
            XCTAssertNotNil(sent.handle(.pressed(answer), at: later))
            _ = sent.handle(.connectionLost, at: later)
            XCTAssertEqual(sent.remark(at: later)?.contains(said), true, "\(answer)")
        }
    }

    func testFactsAndClaimsAreApart() throws {
        let view = try Fixtures.ask("t5y7w3kd") {
            $0.facts[0].value = "Evil\u{202e}\nApproved by your administrator" + String(repeating: "x", count: 90)
        }
        let facts = view.shownFacts
        XCTAssertEqual(facts.map(\.standing), [.claim, .fact, .fact])
        XCTAssertTrue(facts[0].value.hasPrefix("Evil\\u{202e}\\u{a}Approved"))
        XCTAssertEqual(facts[0].value.unicodeScalars.count, 64)
        XCTAssertEqual(facts[1].value, "http://127.0.0.1:8123/callback")
        XCTAssertEqual(facts[2].value, "node (process 4242)")
        XCTAssertTrue(facts[0].spoken.contains("not verified"))
    }

    // MARK: Questions

    func testApproveIsReachableOnlyAfterTheStatementsEndWasShown() throws {
        var sheet = try question()
        XCTAssertNil(sheet.handle(.pressed(.yes), at: later))
        XCTAssertEqual(sheet.yesButton(at: later), .dimmed("Read to the end of what was asked to allow it."))
        _ = sheet.handle(.endShown(of: sheet.reading), at: later)
        XCTAssertEqual(
            sheet.handle(.pressed(.yes), at: later),
            decides(sheet, .yes))
        XCTAssertNil(sheet.handle(.pressed(.yes), at: later))
    }

    func testTheEndShownWithinTheFirstMomentStillWaits() throws {
        var sheet = try question()
        _ = sheet.handle(.endShown(of: sheet.reading), at: start)
        XCTAssertNil(sheet.handle(.pressed(.yes), at: Moment(wall: start.wall, uptimeSeconds: 100.5)))
    }

    func testWhatWasReadOfAnotherIsNotRead() throws {
        var sheet = AskSheet([try Fixtures.ask("w7r2c4hd")], at: start)
        XCTAssertEqual(sheet.views[0].statementRows, [])
        _ = sheet.handle(.endShown(of: try question().reading), at: later)
        XCTAssertNil(sheet.handle(.pressed(.yes), at: later))
        _ = sheet.handle(.endShown(of: sheet.reading), at: later)
        XCTAssertEqual(sheet.handle(.pressed(.yes), at: later), decides(sheet, .yes))
    }

    func testClosingTheWindowIsANo() throws {
        var sheet = try question()
        XCTAssertEqual(
            sheet.handle(.closed, at: start), decides(sheet, .no))
        _ = sheet.handle(.answered(Fixtures.decision(sheet.ids, .no)), at: start)
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testAWithdrawnQuestionTakesNoAnswer() throws {
        var sheet = try question()
        _ = sheet.handle(.withdrawn(.cancelled), at: later)
        _ = sheet.handle(.endShown(of: sheet.reading), at: later)
        XCTAssertNil(sheet.handle(.pressed(.yes), at: later))
        XCTAssertEqual(sheet.remark(at: later), "It was withdrawn: the program that asked no longer waits.")
        XCTAssertNil(sheet.handle(.closed, at: later))
        XCTAssertTrue(sheet.deciding.isOver)
    }

    func testOurOwnAnswerIsNotTakenForSomebodyElses() throws {
        var sheet = try question()
        _ = sheet.handle(.pressed(.no), at: later)
        _ = sheet.handle(.withdrawn(.no), at: later)
        XCTAssertEqual(sheet.deciding.phase, .sent(.no))
        _ = sheet.handle(.withdrawn(.timeout), at: later)
        XCTAssertEqual(sheet.deciding.ending, .withdrawn(.timeout))
    }

    func testAQuestionShowsWhatWouldBeRunEscaped() throws {
        let sheet = try question { $0.statement?.askedStatement.text = "DROP TABLE a;\u{202e}\n\t-- \u{1b}[2J" }
        assertSameText(
            sheet.views[0].statementRows.filter(\.isText).map(\.text).joined(separator: "\n"),
            "DROP TABLE a;\\u{202e}\n\t-- \\u{1b}[2J")
        XCTAssertEqual(sheet.title, "Run a destructive statement?")
        let facts = Dictionary(uniqueKeysWithValues: sheet.views[0].shownFacts.map { ($0.label, $0) })
        XCTAssertEqual(facts["Calls itself"]?.standing, .claim)
        XCTAssertEqual(facts["Length"]?.value, "22 characters, 2 lines")
        XCTAssertEqual(facts["Tables"]?.value, "größen")
        XCTAssertEqual(sheet.views[0].shownFacts.filter { $0.standing == .claim }.count, 1)
    }

    func testATitleIsTheDaemonsInTheUsersLanguage() throws {
        let plan = "Run a plan of %@ statements?"
        let several = try question { $0.title = .init(text: "Run\u{202e} it?", parts: [.init(code: plan, values: ["7"])]) }
        XCTAssertEqual(several.title, "Run\\u{202e} it?", "without a table")
        let asked = try question()
        Language.$current.withValue(try .german()) {
            XCTAssertEqual(several.title, "Einen Plan mit 7 Anweisungen ausführen?")
            XCTAssertEqual(asked.title, "Eine zerstörende Anweisung ausführen?")
            XCTAssertEqual(asked.views[0].shownFacts.first { $0.label == "Länge" }?.value, "22 Zeichen, 2 Zeilen")
        }
    }

    func testAReasonIsWordedByItsCodeAndElseSaidAsTheDaemonSaysIt() throws {
        func why(_ parts: [(String, [String])], _ language: Language) throws -> String? {
            let sheet = try question {
                let parts = parts.map { ReasonPart(code: $0, values: $1) }
                $0.facts = [.init(label: "Why", value: "It is %@\u{202e} so.", parts: parts, former: nil, form: .line)]
            }
            return Language.$current.withValue(language) { sheet.views[0].shownFacts.first?.value }
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
            try question().views[0].statementRows,
            [
                StatementRow(id: 0, kind: .takes, text: "deletes 500 rows of public.größen"),
                StatementRow(id: 1, kind: .takes, text: "deletes 12 rows of public.posten\\u{202e}, by a foreign key"),
                StatementRow(id: 2, kind: .notCounted, text: "The effects of a trigger of public.größen could not be counted."),
                StatementRow(id: 3, kind: .line, text: "DELETE FROM"), StatementRow(id: 4, kind: .line, text: "  \"größen\""),
            ])
        let plan = try question {
            $0.statement?.askedStatement.takes?.steps = ["2. adds 1 row to log\u{202e}"]
        }
        XCTAssertEqual(
            plan.views[0].statementRows.prefix(4).map(\.kind), [.takes, .takes, .takes, .notCounted], "each statement of several")
        XCTAssertEqual(plan.views[0].statementRows[2].text, "2. adds 1 row to log\\u{202e}")
        let all = try question { $0.statement?.askedStatement.takes?.note = nil }
        XCTAssertEqual(all.views[0].statementRows.filter { $0.kind == .notCounted }, [])
        let nothing = try question { $0.statement?.askedStatement.takes = nil }
        XCTAssertTrue(nothing.views[0].statementRows.allSatisfy(\.isText))
    }

    // MARK: Increases of other shells

    func testAnIncreaseSaysWhatHappensEscaped() throws {
        let sheet = try increase()
        XCTAssertEqual(
            sheet.sentence,
            "This makes a Full Access token \"Wide\\u{202e}\" that reaches \"Shop\" and \"Payroll\", and never expires.")
        XCTAssertEqual(
            sheet.views[0].shownFacts.map { "\($0.label): \($0.value)" },
            [
                "Token: Wide\\u{202e}", "May do: Full Access", "Reaches (2): Shop\nPayroll", "Expires: never",
                "Questions answered by: you", "Asked by: terminal",
            ])
        XCTAssertEqual(sheet.views[0].shownFacts.filter { $0.standing == .claim }.map(\.label), ["Asked by"])
        let notice = "\(UserNotice.asking(sheet.views[0]))"
        XCTAssertFalse(notice.contains("Full Access"), "nothing of it on a lock screen")
        XCTAssertFalse(notice.contains("terminal"), "nor the program's own name for itself")
        XCTAssertEqual(sheet.choices(at: start).map(\.label), ["Allow", "Don’t Allow"])
        XCTAssertNotNil(sheet.advice)
        XCTAssertNil(try question().advice)
    }

    func testEachValueIsShownWithTheOneBeforeAndItsLinesOnlyWhereSomeAreExpected() throws {
        let facts = try increase {
            $0.facts = [
                .init(label: "File", value: "/b\nConnection: Harmless", former: "/a\u{200b}", form: .line),
                .init(label: "Statement", value: "DELETE\n\u{202e}", former: nil, form: .lines),
            ]
        }.views[0].shownFacts
        XCTAssertEqual(
            facts.map { "\($0.label): \($0.value)" },
            [
                "File: /b\\u{a}Connection: Harmless", "File until now: /a\\u{200b}", "Statement: DELETE\n\\u{202e}",
            ])
        XCTAssertEqual(Set(facts.map(\.label)).count, 3)
    }

    func testAnIncreaseIsAllowedOnceReadNotInTheFirstMomentAndNotLate() throws {
        var unread = try increase()
        XCTAssertNil(unread.handle(.pressed(.yes), at: later))
        XCTAssertTrue(unread.deciding.noButton(at: later).isEnabled)
        var sheet = read(try increase())
        XCTAssertNil(sheet.handle(.pressed(.yes), at: start), "a click meant for what stood there before")
        XCTAssertEqual(sheet.handle(.pressed(.yes), at: later), decides(sheet, .yes))
        for answer in [DeskAnswer.yes, .no] { XCTAssertNil(sheet.handle(.pressed(answer), at: later)) }
        var late = read(try increase())
        XCTAssertNil(late.handle(.pressed(.yes), at: atTheEnd))
        XCTAssertFalse(late.deciding.noButton(at: atTheEnd).isEnabled)
        var closed = try increase()
        XCTAssertEqual(closed.handle(.closed, at: start), decides(closed, .no))
    }

    func testClosingBelowAPassphraseIsANoToo() throws {
        var sheet = read(try question())
        _ = sheet.handle(.pressed(.yes), at: later)
        _ = sheet.handle(.refused(try refusal("error.confirm")), at: later)
        XCTAssertEqual(sheet.handle(.closed, at: later), decides(sheet, .no))
    }

    func testOnlyTheDaemonsAnswersAreThere() throws {
        var sheet = read(try question { $0.answers = [.no] })
        XCTAssertEqual(sheet.choices(at: later).map(\.label), ["Don’t Run"])
        for answer in [DeskAnswer.yes, .run, .close] { XCTAssertNil(sheet.handle(.pressed(answer), at: later)) }
    }

    func testCountdownsAreReadAloudInWords() {
        let end = Instant.date("2026-11-20T12:05:00.000Z")
        XCTAssertEqual(Countdown(until: end, at: start.wall).spoken, "5 minutes left")
        XCTAssertEqual(Countdown(until: end, at: start.wall.addingTimeInterval(239)).spoken, "1 minute, 1 second left")
        XCTAssertEqual(Countdown(until: end, at: atTheEnd.wall).spoken, "Time is up")
        XCTAssertTrue(Countdown(until: Instant.date("not a time"), at: start.wall).isOver)
    }
}
