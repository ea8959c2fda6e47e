import Foundation
import XCTest

@testable import ShellRules

/// Texts in the person's language: the keys, and the texts that they give.
final class LanguageTests: XCTestCase {
    private let german = Language(locale: Locale(identifier: "de_DE")) { key, english in
        [
            "Time is up": "Die Zeit ist um", "%@ left": "noch %@", "%lld rows": "%lld Zeilen",
            "%@, not verified: %@": "%2$@ (%1$@, nach eigenen Angaben)", "Host": "Rechner", "%@, %@": "%@; %@",
            "%@ until now": "%@ bisher", "Rows a call may ask for.": "Zeilen eines Aufrufs.",
            "Sallyport's daemon can't be reached; choose Start Sallyport to try again.":
                "Nicht erreichbar\u{a0}; «\u{202f}Neu\u{202f}».",
            "1 to %lld rows are expected, or nothing.": "1 bis %lld Zeilen, oder nichts.",
        ][key] ?? english
    }

    func testEnglishNeedsNoTable() {
        func rows(_ count: Int) -> String { counted(count, one: "\(number: count) row", other: "\(number: count) rows") }
        XCTAssertEqual([0, 1, 2, 11, 21].map(rows), ["0 rows", "1 row", "2 rows", "11 rows", "21 rows"])
        XCTAssertEqual(
            TokenExpiry.allCases.map(\.label), ["After 1 day", "After 7 days", "After 30 days", "After 90 days", "Never"])
        XCTAssertEqual(localized("No blank at 100%"), "No blank at 100%")
    }

    func testANameIsNeverPartOfAKeyOrAFormat() {
        let name = "%@ %n 100% %lld \\(x)"
        let wording: Wording = "50% of “\(name)” and \(number: 3)"
        XCTAssertEqual(wording.key, "50%% of “%@” and %lld")
        XCTAssertEqual(localized(wording), "50% of “\(name)” and 3")
        XCTAssertEqual(Fact.claim("Calls itself", name).spoken, "Calls itself, not verified: \(name)")
    }

    func testAnotherLanguageHasItsOwnOrderAndItsOwnNumbers() {
        let end = Date(timeIntervalSince1970: 61)
        Language.$current.withValue(german) {
            XCTAssertEqual(Countdown(until: nil, at: end).words, "Die Zeit ist um")
            XCTAssertEqual(Countdown(until: end, at: Date(timeIntervalSince1970: 0)).spoken, "noch 1 Minute und 1 Sekunde")
            XCTAssertEqual(counted(10_000, one: "\(number: 10_000) row", other: "\(number: 10_000) rows"), "10.000 Zeilen")
            XCTAssertEqual(Fact.claim("Calls itself", "x").spoken, "x (Calls itself, nach eigenen Angaben)")
            XCTAssertEqual(localized("port \(String(27_432))"), "port 27432")
            XCTAssertEqual(Spans.short(milliseconds: 3_210), "3,2 Sek.")
        }
        XCTAssertEqual(Countdown(until: nil, at: end).words, "Time is up", "and nowhere else")
    }

    func testWhatTheDaemonSaysIsTranslatedWhereTheTableHasIt() throws {
        let settings = try Fixtures.read([SettingView].self, "settings")
        let setting = try XCTUnwrap(settings.first { $0.key == "results.maxRows" })
        Language.$current.withValue(german) {
            XCTAssertEqual(setting.explanation, "Zeilen eines Aufrufs.")
            XCTAssertEqual([[], ["a"], ["a", "b", "c"]].map(listed), ["", "a", "a; b; c"])
            let changes: [ConfirmationFact] = [
                .init(label: "Host", value: "Host", former: "b", form: .line),
                .init(label: "A %@ \u{202e}", value: "c", former: nil, form: .line),
            ]
            XCTAssertEqual(
                changes.shown.map { "\($0.label): \($0.value)" }, ["Rechner: Host", "Rechner bisher: b", "A %@ \\u{202e}: c"],
                "values are others' own")
        }
    }

    func testARefusalWithValuesIsSaidInTheUsersLanguage() throws {
        let code = "There is no connection %@; `sallyport connections list` shows all."
        let parts = [ReasonPart(code: code, values: ["Shop\u{202e}%@"])]
        let refused = ControlClient.Failure.refused(
            ControlError(code: -33_007, message: "There is none\u{202e}.", data: .init(code: "unknown_connection", parts: parts)))
        XCTAssertEqual(refused.sentence, "There is none\\u{202e}.", "without a table")
        Language.$current.withValue(try .german()) {
            XCTAssertEqual(
                refused.sentence, "Es gibt keine Verbindung Shop\\u{202e}%@; `sallyport connections list` zeigt alle.")
        }
    }

    func testAWrongPassphraseIsSaidInTheUsersLanguageAboveWhatItWouldConfirm() throws {
        let wrong = "That is not the owner passphrase."
        let parts = [ReasonPart(code: wrong, values: []), ReasonPart(code: "%@", values: ["This renames \"a\u{202e}\"."])]
        let data = ControlError.Details(
            code: "wrong_passphrase", parts: parts, confirm: .passphrase, sentence: "\(wrong) This renames \"a\u{202e}\".")
        let error = ControlError(code: -33_007, message: "\(wrong) It needs a terminal.", data: data)
        XCTAssertEqual(PassphrasePrompt(error).sentence, "\(wrong) This renames \"a\\u{202e}\".")
        Language.$current.withValue(try .german()) {
            let said = "Das ist nicht das Eigentümerpasswort. This renames \"a\\u{202e}\"."
            XCTAssertEqual(PassphrasePrompt(error).sentence, said)
            XCTAssertEqual(ConfirmationPrompt(error).sentence, said)
        }
    }

    func testNoBreakSpacesOfOursAreNotEscapedAndAllElseIs() {
        Language.$current.withValue(german) {
            var state = ShellState(start: .byHand)
            _ = state.handle(.link(.gaveUp), at: Moment(wall: Date(), uptimeSeconds: 0))
            XCTAssertEqual(state.server.notes, ["Nicht erreichbar\u{a0}; «\u{202f}Neu\u{202f}»."])
            XCTAssertEqual(
                state.handle(.chose(.explain), at: Moment(wall: Date(), uptimeSeconds: 0)), [.tell(state.server.notes[0])])
        }
        XCTAssertEqual(ShownText.sentence("a\u{a0}b\u{202e}\u{2003}c\n"), "a\u{a0}b\\u{202e}\\u{2003}c\\u{a}")
        XCTAssertEqual(ShownText.oneLine("a\u{a0}b\u{202f}"), "a\\u{a0}b\\u{202f}", "of others")
    }

    func testTimesAndSizesAreWrittenAsPeopleWriteThem() {
        Language.$current.withValue(.english) {
            XCTAssertEqual([0, 9, 60, 299, 3_600].map { Spans.clock(seconds: $0) }, ["0:00", "0:09", "1:00", "4:59", "60:00"])
            XCTAssertEqual(Spans.spoken(seconds: 299), "4 minutes, 59 seconds")
            XCTAssertEqual(
                [0.4, 12.6, 999.4, 1_000, 3_260].map { Spans.short(milliseconds: $0) },
                ["0 ms", "13 ms", "999 ms", "1.0 sec", "3.3 sec"])
            XCTAssertEqual(Sizes.words(bytes: 65_536), "64 kB")
        }
    }
}
