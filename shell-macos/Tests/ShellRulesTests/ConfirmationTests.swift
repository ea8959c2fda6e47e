import Foundation
import XCTest

@testable import ShellRules

/// The app's own requests that give more: confirmed below what would change, or with a passphrase.
final class ConfirmationTests: XCTestCase {
    func testThePassphraseIsTakenBelowWhatWouldChangeReadToItsEnd() throws {
        let fact = { (value: String, former: String?, form: ConfirmationFact.Form) in
            ConfirmationFact(label: "Statement", value: value, former: former, form: form)
        }
        let wanting = { (facts: [ConfirmationFact]?) in
            let data = ControlError.Details(confirm: .passphrase, sentence: "This\u{202e} gives more.", facts: facts)
            return PassphrasePrompt(ControlError(code: -33007, message: "It needs a terminal.", data: data))
        }
        let (nothing, typed) = ("", "correct horse")
        let prompt = wanting([fact("DELETE\n\u{202e}", "a\u{fe01}b\n", .lines)])
        XCTAssertEqual(prompt.sentence, "This\\u{202e} gives more.")
        XCTAssertEqual(prompt.request, "Type the owner passphrase to allow this.")
        XCTAssertEqual(
            prompt.changes.map { "\($0.label): \($0.value)" },
            ["Statement: DELETE\n\\u{202e}", "Statement until now: a\\u{fe01}b\n"])
        XCTAssertEqual(prompt.remark(endWasShown: false), "Read to the end of what would change to allow it.")
        XCTAssertNil(prompt.remark(endWasShown: true))
        XCTAssertFalse(prompt.canConfirm(typed: typed, endWasShown: false))
        XCTAssertFalse(prompt.canConfirm(typed: nothing, endWasShown: true))
        XCTAssertTrue(prompt.canConfirm(typed: typed, endWasShown: true))
        XCTAssertNotEqual(prompt, wanting([fact("DELETE", nil, .line)]), "drawn anew, so read anew")

        let bare = wanting(nil)
        XCTAssertEqual(bare.changes, [])
        XCTAssertNil(bare.remark(endWasShown: false), "there is nothing to read but the sentence")
        XCTAssertTrue(bare.canConfirm(typed: typed, endWasShown: false))
    }

    func testTheAppsOwnRequestIsAllowedAboveWhatWouldChangeReadToItsEnd() {
        let wanting = { (facts: [ConfirmationFact]) in
            ConfirmationPrompt(
                ControlError(
                    code: -33007, message: "It has to be approved in Sallyport.app.",
                    data: .init(confirm: .app, sentence: "This\u{202e} gives more.", facts: facts)))
        }
        let prompt = wanting([
            .init(label: "Host", value: "a\u{202e}b", former: "c", form: .line)
        ])
        XCTAssertEqual(prompt.sentence, "This\\u{202e} gives more.")
        XCTAssertEqual(prompt.changes.map { "\($0.label): \($0.value)" }, ["Host: a\\u{202e}b", "Host until now: c"])
        XCTAssertEqual(prompt.remark(endWasShown: false), "Read to the end of what would change to allow it.")
        XCTAssertFalse(prompt.choices(endWasShown: false)[0].state.isEnabled)
        XCTAssertNil(prompt.remark(endWasShown: true))
        XCTAssertTrue(prompt.choices(endWasShown: true)[0].state.isEnabled)
        XCTAssertTrue(wanting([]).choices(endWasShown: false)[0].state.isEnabled, "there is nothing to read but the sentence")
    }

    func testAGivenUpConfirmationIsNoAlert() {
        let error = ControlError(code: -33007, message: "no", data: .init(confirm: .app))
        XCTAssertTrue(ControlClient.Failure.refused(error).isGivenUp)
    }
}
