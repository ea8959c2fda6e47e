import Foundation
import XCTest

@testable import ShellRules

/// Every sample is decoded and encoded again to the same JSON; one without a row here fails.
final class ControlMessagesTests: XCTestCase {
    private typealias Again = (String) throws -> String

    private static func again<Value: Codable>(_ type: Value.Type) -> Again {
        { text in try JSONText.encode(try JSONText.decode(type, from: text)) }
    }

    private static func command<Asked: ControlCommand>(
        _ type: Asked.Type, requests: [String] = [""], results: [String] = [""]
    ) -> [(String, Again)] {
        let name = Asked.method.rawValue
        return requests.map { ("\(name)\($0).request", again(ControlRequest<Asked>.self)) }
            + results.map { ("\(name)\($0).result", again(ControlAnswer<Asked.Answer>.self)) }
    }

    /// The introduction's, which are no commands.
    private struct Introduced<Params: Codable>: Codable {
        var jsonrpc: String
        var id: Int
        var method: String
        var params: Params
    }

    private let samples: [String: Again] = Dictionary(
        uniqueKeysWithValues: [
            command(Command.Status.self), command(Command.Stop.self), command(Command.Pause.self),
            command(Command.Resume.self), command(Command.ListSettings.self), command(Command.GetSetting.self),
            command(Command.SetSetting.self), command(Command.ListConnections.self), command(Command.ShowConnection.self),
            command(Command.SaveConnection.self, requests: ["", "-change"], results: ["", "-change"]),
            command(Command.ReadConnectionURL.self, requests: ["", "-placeholder"], results: ["", "-placeholder"]),
            command(Command.DeleteConnection.self), command(Command.ListRemovedConnections.self),
            command(Command.RestoreConnection.self), command(Command.TestConnection.self, results: ["", "-unreachable"]),
            command(Command.FitRole.self),
            command(Command.ListTokens.self), command(Command.MintToken.self, requests: ["", "-in-app"]),
            command(Command.EditToken.self), command(Command.RevokeToken.self),
            command(Command.DeleteToken.self), command(Command.PendingApprovals.self), command(Command.AttachApprovals.self),
            command(Command.PendingConfirmations.self), command(Command.DecideConfirmation.self),
            command(Command.ListClients.self), command(Command.ListSnippets.self), command(Command.FollowChanges.self),
            command(Command.DecideApproval.self), command(Command.BeginPairing.self),
            command(Command.DecidePairing.self, requests: ["", "-deny"], results: ["", "-deny"]),
            command(Command.ClosePairing.self), command(Command.SetPassphrase.self), command(Command.SwitchOffPassphrase.self),
            command(Command.ResetPassphrase.self), command(Command.ConfirmPassphrase.self),
            command(Command.ClassifyStatement.self), command(Command.CreateDemo.self), command(Command.QueryActivity.self),
            command(Command.ClearHistory.self), command(Command.QueryHistory.self), command(Command.VerifyActivity.self),
            command(Command.FollowActivity.self), command(Command.ListRequests.self), command(Command.OpenRequests.self),
            command(Command.DecideRequests.self),
            [
                "approval.asked", "approval.withdrawn", "pairing.turn", "server.changed", "activity.appended",
                "connections.changed", "tokens.changed", "settings.changed", "confirmation.asked", "confirmation.withdrawn",
                "requests.changed",
            ].map {
                ("\($0).notification", again(ControlNotification.self))
            },
            ["confirm", "confirm-app", "choose", "other-version", "refused", "unauthenticated"].map {
                ("error.\($0)", again(ControlRefusal.self))
            },
            [
                ("identify.request", again(Introduced<IdentifyParams>.self)),
                ("identify.result-on", again(ControlAnswer<IdentifyResult>.self)),
                ("identify.result-off", again(ControlAnswer<IdentifyResult>.self)),
                ("shell.challenge.request", again(Introduced<ChallengeParams>.self)),
                ("shell.challenge.result", again(ControlAnswer<ChallengeResult>.self)),
                ("shell.prove.request", again(Introduced<ProveParams>.self)),
                ("shell.prove.result", again(ControlAnswer<Nothing>.self)),
                ("sealed.request", again(SealedLine.self)),
                ("sealed.result", again(SealedLine.self)),
            ],
        ].flatMap { $0 })

    func testEverySampleComesBackAsItWas() throws {
        for (name, again) in samples {
            let text = try Fixtures.text("control/\(name)")
            let (was, became) = (try JSONText.decode(JSONValue.self, from: text), try again(text))
            XCTAssertEqual(try JSONText.decode(JSONValue.self, from: became), was, name)
        }
    }

    func testThereIsARowForEverySample() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Fixtures.folder.appendingPathComponent("control").path)
        let names = Set(files.map { String($0.dropLast(".json".count)) })
        XCTAssertEqual(names.subtracting(samples.keys).subtracting(["proofs"]), [], "samples that no Swift type decodes")
        XCTAssertEqual(Set(samples.keys).subtracting(names), [], "types without a sample")
    }

    func testEveryMethodHasASample() {
        for method in ControlMethod.allCases { XCTAssertNotNil(samples["\(method.rawValue).request"], method.rawValue) }
    }

    func testNotificationsAreTheOnesTheyAre() throws {
        let turn = try Fixtures.read(ControlNotification.self, "control/pairing.turn.notification")
        XCTAssertEqual(turn, .pairingTurn(id: "3f0c9a51-7d0e-4c39-9a55-6f2b1c7d9e10"))
        for list in ChangedList.allCases {
            XCTAssertEqual(
                try Fixtures.read(ControlNotification.self, "control/\(list.rawValue).notification"), .changed(list))
        }
        let later = try JSONText.decode(ControlNotification.self, from: #"{"jsonrpc":"2.0","method":"moon.rose","params":{}}"#)
        XCTAssertEqual(later, .unknown(method: "moon.rose"))
    }

    func testUnknownMembersArePassedOver() throws {
        let text = #"{"jsonrpc":"2.0","id":1,"result":{"pid":4,"later":{"deep":[1]}},"later":true}"#
        XCTAssertEqual(try JSONText.decode(ControlAnswer<Command.Stop.Answer>.self, from: text).result.pid, 4)
    }

    func testWhatNobodyConfirmedIsAnAnswerToo() throws {
        let text = #"{"jsonrpc":"2.0","id":1,"result":{"paused":false},"unconfirmed":true}"#
        let answer = try JSONText.decode(ControlAnswer<Command.Resume.Answer>.self, from: text)
        XCTAssertFalse(answer.result.paused)
        XCTAssertEqual(answer.unconfirmed, true)
    }

    func testAMissingMemberAndAnUnknownWordAreFaults() {
        for text in [#"{"id":"x","because":"bored"}"#, #"{"id":"x"}"#] {
            XCTAssertThrowsError(try JSONText.decode(ApprovalWithdrawn.self, from: text))
        }
        XCTAssertThrowsError(try JSONText.decode(NamedAnswer.self, from: "{}"), "null and missing are two things")
        XCTAssertNil(try JSONText.decode(NamedAnswer.self, from: #"{"name":null}"#).name)
    }

    private struct NamedAnswer: Codable {
        @OrNull var name: String?
    }

    func testWholeNumbersAreExact() throws {
        for number in ["9007199254740993", "9223372036854775807", "-9223372036854775808", "0"] {
            XCTAssertEqual(try JSONText.encode(try JSONText.decode(JSONValue.self, from: number)), number)
        }
        XCTAssertEqual(try JSONText.decode(Int.self, from: "9007199254740993"), 9_007_199_254_740_993)
        XCTAssertEqual(try JSONText.decode(SettingValue.self, from: "1"), .number(1), "1 is not true")
        XCTAssertEqual(try JSONText.decode(SettingValue.self, from: "true"), .yesOrNo(true))
    }

    func testAHalfSurrogateDoesNotHideTheQuestion() throws {
        func decoded(_ text: String) throws -> String { try JSONText.decode(String.self, from: text) }
        XCTAssertEqual(try decoded(#""half \ud800 \uDC00 end""#), "half \u{fffd} \u{fffd} end")
        XCTAssertEqual(try decoded(#""\ud83d\udc1a \\ud800 \u00e9""#), "🐚 \\ud800 é")
        XCTAssertEqual(try decoded(#""\ud800\ud83d\udc1a""#), "\u{fffd}🐚")
        XCTAssertThrowsError(try decoded(#""\ud8"#))
    }

    func testLeftOutNullAndSetAreThreeThings() throws {
        var asked = Command.SaveConnection(connection: "Shop")
        asked.rowLimit = .clear
        asked.statementTimeoutSeconds = .set(5)
        XCTAssertEqual(
            try JSONText.encode(asked), #"{"connection":"Shop","rowLimit":null,"statementTimeoutSeconds":5}"#)
        XCTAssertEqual(try JSONText.decode(Command.SaveConnection.self, from: try JSONText.encode(asked)), asked)
    }

    func testWhatWantsThePassphraseSaysSo() throws {
        XCTAssertTrue(try Fixtures.read(ControlRefusal.self, "control/error.confirm").error.wantsPassphrase)
        XCTAssertFalse(try Fixtures.read(ControlRefusal.self, "control/error.confirm").error.wantsConfirmation)
        XCTAssertTrue(try Fixtures.read(ControlRefusal.self, "control/error.confirm-app").error.wantsConfirmation)
        XCTAssertTrue(try Fixtures.read(ControlRefusal.self, "control/error.confirm-app").error.wantsPassphrase)
        let appOnly = ControlError(code: -33007, message: "no", data: .object(["confirm": .string("app")]))
        XCTAssertFalse(appOnly.wantsPassphrase)
        let choose = try Fixtures.read(ControlRefusal.self, "control/error.choose").error
        XCTAssertTrue(choose.wantsFirstPassphrase)
        XCTAssertFalse(choose.wantsPassphrase || choose.wantsConfirmation)
        for name in ["refused", "unauthenticated"] {
            let error = try Fixtures.read(ControlRefusal.self, "control/error.\(name)").error
            XCTAssertFalse(error.wantsPassphrase || error.wantsFirstPassphrase || error.wantsConfirmation, name)
        }
    }

    func testWhatWouldChangeComesWithTheRefusal() throws {
        for name in ["confirm", "confirm-app", "choose"] {
            let error = try Fixtures.read(ControlRefusal.self, "control/error.\(name)").error
            XCTAssertEqual(error.facts.count, 5, name)
            XCTAssertTrue(error.message.hasPrefix("\(error.sentence) It "), error.message)
            XCTAssertEqual(error.facts.first, .init(label: "Token", value: "Claude", former: nil, form: .line), name)
            let written = try JSONText.decode(JSONValue.self, from: try JSONText.encode(error.facts))
            XCTAssertEqual(written, error.data?["facts"], name)
        }
        let refused = try Fixtures.read(ControlRefusal.self, "control/error.refused").error
        XCTAssertEqual(refused.facts, [])
        XCTAssertEqual(refused.sentence, refused.message)
        for facts in [JSONValue.string("none"), .array([.object(["label": .string("Token")])])] {
            let data = JSONValue.object(["confirm": .string("passphrase"), "facts": facts])
            let error = ControlError(code: -33007, message: "no", data: data)
            XCTAssertEqual(error.facts, [], "of another form")
            XCTAssertTrue(error.wantsPassphrase)
        }
    }

    func testOnlyWhatIsDecidedOnASheetCarriesItsConfirmation() throws {
        let approve = ControlRequest(id: 1, asking: Command.DecideApproval(id: "x", answer: .yes))
        XCTAssertEqual(approve.confirm, .app)
        XCTAssertEqual(ControlRequest(id: 1, asking: Command.DecidePairing.deny(id: "x")).confirm, .app)
        XCTAssertNil(ControlRequest(id: 1, asking: Command.Resume()).confirm)
        XCTAssertNil(ControlRequest(id: 1, asking: Command.BeginPairing(link: "", handler: nil)).confirm)
        let confirmed = try JSONText.encode(ControlRequest(id: 1, asking: Command.Resume(), confirm: .app))
        XCTAssertEqual(try JSONText.decode(JSONValue.self, from: confirmed)["confirm"], .string("app"))
    }
}
