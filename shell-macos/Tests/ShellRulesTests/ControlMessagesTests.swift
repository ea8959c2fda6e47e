import Foundation
import XCTest

@testable import ShellRules

/// Each sample is decoded and encoded again, with the same JSON as result. A sample that no type
/// decodes fails.
final class ControlMessagesTests: XCTestCase {
    private typealias Again = (String) throws -> String

    private static func again<Value: Codable>(_ type: Value.Type) -> Again {
        { text in try JSONText.encode(try JSONText.decode(type, from: text)) }
    }

    private static func asked<Asked: ControlCommand>(_ type: Asked.Type) -> Again { again(ControlRequest<Asked>.self) }
    private static func answered<Asked: ControlCommand>(_ type: Asked.Type) -> Again { again(ControlAnswer<Asked.Answer>.self) }

    /// The messages of the introduction, which are no commands.
    private struct Introduced<Params: Codable>: Codable {
        var jsonrpc: String
        var id: Int
        var method: String
        var params: Params
    }

    private static var introduction: [String: Again] {
        [
            "shell.challenge.request": again(Introduced<ChallengeParams>.self),
            "shell.challenge.result": again(ControlAnswer<ChallengeResult>.self),
            "shell.prove.request": again(Introduced<ProveParams>.self),
            "shell.prove.result": again(ControlAnswer<Nothing>.self),
            "sealed.request": again(SealedLine.self),
            "sealed.result": again(SealedLine.self),
        ]
    }

    /// `connections.save-change.request` is another form of the request `connections.save`.
    private static func again(_ name: String) -> Again? {
        if let known = introduction[name] { return known }
        var words = name.split(separator: ".")
        let kind = words.popLast()
        if kind == "notification" { return again(ControlNotification.self) }
        if words.first == "error" { return again(ControlRefusal.self) }
        let method = words.joined(separator: ".").prefix { $0 != "-" }
        guard let command = Command.all.first(where: { $0.method.rawValue == method }) else { return nil }
        return kind == "request" ? asked(command) : kind == "result" ? answered(command) : nil
    }

    private func names() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: Fixtures.folder.appendingPathComponent("control").path)
        return Set(files.map { String($0.dropLast(".json".count)) }).filter { $0 != "proofs" && !$0.hasPrefix("identify.") }
    }

    func testEverySampleComesBackAsItWas() throws {
        for name in try names() {
            // The app reads neither the versions nor the values of their codes.
            if ["error.other-version", "error.refused"].contains(name) { continue }
            let again = try XCTUnwrap(Self.again(name), "no Swift type decodes \(name)")
            let text = try Fixtures.text("control/\(name)")
            let (was, became) = (try JSONText.decode(JSONValue.self, from: text), try again(text))
            XCTAssertEqual(try JSONText.decode(JSONValue.self, from: became), was, name)
        }
    }

    func testEveryTypeHasASample() throws {
        let names = try names()
        XCTAssertEqual(Set(Self.introduction.keys).subtracting(names), [])
        for command in Command.all {
            for sample in ["request", "result"].map({ "\(command.method.rawValue).\($0)" }) {
                XCTAssertTrue(names.contains(sample), sample)
            }
        }
    }

    func testNotificationsAreTheOnesTheyAre() throws {
        let ended = try Fixtures.read(ControlNotification.self, "control/desk.changed-ended.notification")
        XCTAssertEqual(ended, .deskChanged(.init(waiting: 0, asked: nil, ended: .init(id: "k3m9x2pq", because: .yes))))
        let changed = [ControlNotification.connectionsChanged, .tokensChanged, .settingsChanged]
        for (list, told) in zip(["connections", "tokens", "settings"], changed) {
            XCTAssertEqual(try Fixtures.read(ControlNotification.self, "control/\(list).changed.notification"), told)
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
            XCTAssertThrowsError(try JSONText.decode(DeskChange.Ended.self, from: text))
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
        XCTAssertEqual(try JSONText.decode(SettingValue.self, from: "1"), .integer(1), "1 is not true")
        XCTAssertEqual(try JSONText.decode(SettingValue.self, from: "true"), .boolean(true))
    }

    func testLeftOutNullAndSetAreThreeThings() throws {
        var asked = Command.ConnectionsSave(connection: "Shop")
        asked.rowLimit = .clear
        asked.statementTimeoutSeconds = .set(5)
        XCTAssertEqual(
            try JSONText.encode(asked), #"{"connection":"Shop","rowLimit":null,"statementTimeoutSeconds":5}"#)
        XCTAssertEqual(try JSONText.decode(Command.ConnectionsSave.self, from: try JSONText.encode(asked)), asked)
    }

    func testWhatWantsThePassphraseSaysSo() throws {
        XCTAssertTrue(try Fixtures.read(ControlRefusal.self, "control/error.confirm").error.wantsPassphrase)
        XCTAssertFalse(try Fixtures.read(ControlRefusal.self, "control/error.confirm").error.wantsConfirmation)
        XCTAssertTrue(try Fixtures.read(ControlRefusal.self, "control/error.confirm-app").error.wantsConfirmation)
        XCTAssertTrue(try Fixtures.read(ControlRefusal.self, "control/error.confirm-app").error.wantsPassphrase)
        let appOnly = ControlError(code: -33007, message: "no", data: .init(confirm: .app))
        XCTAssertFalse(appOnly.wantsPassphrase)
        let choose = try Fixtures.read(ControlRefusal.self, "control/error.choose").error
        XCTAssertFalse(choose.wantsPassphrase || choose.wantsConfirmation, "the app can choose none there")
        for name in ["refused", "unauthenticated"] {
            let error = try Fixtures.read(ControlRefusal.self, "control/error.\(name)").error
            XCTAssertFalse(error.wantsPassphrase || error.wantsConfirmation, name)
        }
    }

    func testWhatWouldChangeComesWithTheRefusal() throws {
        for name in ["confirm", "confirm-app", "choose"] {
            let error = try Fixtures.read(ControlRefusal.self, "control/error.\(name)").error
            XCTAssertEqual(error.facts.count, 5, name)
            XCTAssertTrue(error.message.hasPrefix("\(error.sentence) It "), error.message)
            XCTAssertEqual(error.facts.first, .init(label: "Token", value: "Claude", former: nil, form: .line), name)
        }
        let refused = try Fixtures.read(ControlRefusal.self, "control/error.refused").error
        XCTAssertEqual(refused.facts, [])
        XCTAssertEqual(refused.sentence, refused.message)
        let other = #"{"code":-33007,"message":"no","data":{"confirm":"passphrase","facts":"none"}}"#
        let error = try JSONText.decode(ControlError.self, from: other)
        XCTAssertEqual(error.message, "no", "data of another form keeps no message back")
        XCTAssertFalse(error.wantsPassphrase)
    }

    func testOneAskOfAnUnknownKindHidesNoOther() throws {
        let sample = try Fixtures.text("control/desk.list.result")
        let all = try JSONText.decode(Fixtures.Answered<AskList>.self, from: sample).result.asks
        let strange = sample.replacingOccurrences(of: #""kind": "statement""#, with: #""kind": "moon_rose""#)
        let read = try JSONText.decode(Fixtures.Answered<AskList>.self, from: strange).result.asks
        XCTAssertEqual(read, all.filter { $0.kind != .statement })
        XCTAssertFalse(read.isEmpty || read.count == all.count)
        let attached = #"{"asks":[{"kind":"moon_rose"}],"attached":true}"#
        XCTAssertEqual(try JSONText.decode(DeskAttachment.self, from: attached), DeskAttachment(asks: [], attached: true))
    }

    func testNothingCarriesAConfirmationByItself() throws {
        XCTAssertNil(ControlRequest(id: 1, asking: Command.DeskDecide(ids: ["x"], answer: .yes)).confirm)
        XCTAssertNil(ControlRequest(id: 1, asking: Command.Resume()).confirm)
        XCTAssertNil(ControlRequest(id: 1, asking: Command.PairingBegin(link: "", handler: nil)).confirm)
        let confirmed = try JSONText.encode(ControlRequest(id: 1, asking: Command.Resume(), confirm: .app))
        XCTAssertEqual(try JSONText.decode(JSONValue.self, from: confirmed)["confirm"], .string("app"))
    }
}
