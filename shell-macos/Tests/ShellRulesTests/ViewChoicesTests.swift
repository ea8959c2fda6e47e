import Foundation
import XCTest

@testable import ShellRules

/// Choices that the app's views only draw: the daemon's start, the kind of launch, a statement's
/// rows, kinds of passwords, groups.
final class ViewChoicesTests: XCTestCase {
    func testTheAgentIsRegisteredThenStartedAndElseTheDaemonIsAChild() {
        XCTAssertEqual(DaemonStart(agent: .notRegistered, home: nil), .registerAgent)
        XCTAssertEqual(DaemonStart(agent: .enabled, home: nil), .startAgent)
        XCTAssertEqual(DaemonStart(agent: .switchedOff, home: nil), .child)
        XCTAssertEqual(DaemonStart(agent: .missing, home: nil), .registerAgent, "so the system calls one never registered, too")
        XCTAssertEqual(DaemonStart(agent: .missing, home: "/tmp/other"), .child)
        XCTAssertEqual(DaemonStart(agent: .enabled, home: "/tmp/other"), .child, "launchd's daemon would serve the usual home")
    }

    func testAChildSeesAFixedPathAndNothingOfDatabasesOrNode() {
        let seen = DaemonStart.environment(of: [
            "HOME": "/Users/anna", "PATH": "/tmp/evil", "PGPASSWORD": "hunter2", "NODE_OPTIONS": "--require=/tmp/evil.js",
            "SALLYPORT_HOME": "", "TZ": "Europe/Berlin",
        ])
        XCTAssertEqual(Set(seen.keys), ["HOME", "PATH", "TZ"])
        XCTAssertEqual(seen["PATH"], "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin")
    }

    func testALaunchIsByHandUnlessSomethingWasToBeOpened() {
        XCTAssertEqual(Presence.Start(links: 0), .byHand)
        XCTAssertEqual(Presence.Start(links: 1), .byLink)
    }

    func testRowsOfAStatementLeaveNothingOut() {
        let long = String(repeating: "x", count: 1_201)
        let rows = StatementRow.rows(of: "delete from a\n\n\(long)\n")
        XCTAssertEqual(rows.map(\.text.count), [13, 0, 500, 500, 201, 0])
        XCTAssertEqual(rows.map(\.kind), [.line, .line, .line, .continued, .continued, .line])
        XCTAssertEqual(rows.map(\.text).joined(), "delete from a\(long)")
        XCTAssertEqual(rows.map(\.id), Array(0..<6))
    }

    func testAStatementIsReadWhenItsEndIsInTheBox() {
        XCTAssertFalse(StatementRow.isEndInSight(markBottom: 0, boxHeight: 0), "nothing is laid out yet")
        XCTAssertFalse(StatementRow.isEndInSight(markBottom: 220.5, boxHeight: 220))
        XCTAssertTrue(StatementRow.isEndInSight(markBottom: 220, boxHeight: 220))
        XCTAssertTrue(StatementRow.isEndInSight(markBottom: -40, boxHeight: 220), "pulled past its end")
    }

    func testEveryColourHasAName() {
        XCTAssertEqual(["red", "grey", "teal"].map(ConnectionColour.label), ["Red", "Gray", "Teal"])
    }

    func testASettingReadsAsASentenceAndItsWordsHaveNames() throws {
        let settings = try Fixtures.read([SettingView].self, "settings")
        for setting in settings {
            XCTAssertEqual(setting.explanation.lowercased(), setting.about.lowercased() + ".")
            XCTAssertEqual(setting.explanation.first?.isLowercase, false, setting.key)
            XCTAssertEqual(setting.title, setting.label)
        }
        XCTAssertEqual(SettingForm.label(ofWord: "auto"), "Automatic")
        XCTAssertEqual(SettingForm.label(ofWord: "sometimes"), "sometimes", "nobody has translated it")
    }

    func testEveryWordHasALabel() {
        func check<Words: Worded>(_ words: Words.Type) {
            XCTAssertEqual(Set(words.allCases.map(\.rawValue)), Set(words.labels.keys), "\(words)")
        }
        check(Scope.self)
        check(ExternalClientsLevel.self)
        check(Engine.self)
        check(TokenState.self)
        check(WriteDuration.self)
        check(ConnectClientSheet.Kind.self)
        check(PassphrasePane.Action.self)
    }

    func testSettingsAreGroupedAndAnUnknownOneIsNotLost() throws {
        var settings = try Fixtures.read(Fixtures.Answered<Command.SettingsList.Answer>.self, "control/settings.list.result").result
            .settings
        var (main, later) = (settings[0], settings[0])
        main.key = "enabled"
        (later.key, later.label, later.group, later.about) = ("later", "Later", "Weather", "whether it rains")
        settings += [main, later]
        let groups = SettingGroup.groups(of: settings)
        XCTAssertEqual(groups.map(\.title), ["Server", "Safety", "Results", "Weather"])
        XCTAssertEqual(groups.last?.settings.map(\.title), ["Later"])
        XCTAssertEqual(groups.last?.settings.map(\.explanation), ["Whether it rains."])
        XCTAssertEqual(groups[0].settings.map(\.key), ["port", "port.fallback", "limits.requestsPerMinute"])
        XCTAssertEqual(groups.flatMap(\.settings).count, settings.count - 1, "the switch stands under Integrations")
    }

    func testASwitchIsReadAndSetAndOnlyChoicesApplyAtOnce() throws {
        let settings = try Fixtures.read([SettingView].self, "settings")
        var form = SettingForm(try XCTUnwrap(settings.first { $0.key == "port.fallback" }))
        XCTAssertTrue(form.isOn && form.appliesAtOnce)
        form.isOn = false
        XCTAssertEqual(form.change(), Command.SettingsSet(key: "port.fallback", value: .string("false")))
        XCTAssertFalse(SettingForm(try XCTUnwrap(settings.first { $0.key == "port" })).appliesAtOnce)
    }

    func testWhoIsConnectedIsToldByItsOwnNameEscapedAndByItsWay() throws {
        let clients = try Fixtures.read(Fixtures.Answered<Command.ClientsList.Answer>.self, "control/clients.list.result").result
            .clients
        let rows = clients.map { ClientRow($0) { _ in "today" } }
        XCTAssertEqual(rows.map(\.claimedName), ["Claude Code\\u{202e}", nil])
        XCTAssertEqual(
            rows.map(\.detail), ["Over HTTP with the token “Editor”, last seen today.", "Through the bridge, last seen today."])
    }

    func testWhatDialingCameToIsEscaped() {
        let text = ConnectionTestText(.notReachable(name: "a\u{202E}b", code: nil, problem: "no\nroute", hostKey: nil))
        XCTAssertFalse(text.isReachable)
        XCTAssertEqual(text.headline, "“a\\u{202e}b” can’t be reached.")
        XCTAssertEqual(text.details, ["no\\u{a}route"])
        XCTAssertEqual(text.sentence, "“a\\u{202e}b” can’t be reached. no\\u{a}route")
        XCTAssertEqual(text.lines, "no\\u{a}route")
        XCTAssertNil(text.hostKey)
        let key = HostKey(host: "bastion\u{202E}", type: "ED25519", fingerprint: "SHA256:x")
        let unknown = ConnectionTestText(
            .notReachable(name: "a", code: .sshHostKeyUnknown, problem: "nobody has confirmed it", hostKey: key))
        XCTAssertEqual(unknown.hostKey, "SHA256:x")
        XCTAssertEqual(
            unknown.lines,
            "The SSH server bastion\\u{202e} is not known yet. Its ED25519 host key has the fingerprint SHA256:x. Compare it with what the server’s administrator says."
        )
    }

    func testAPassphraseGivenUpIsNoProblemToTell() {
        for confirm in ["passphrase", "choose", "app"] {
            let wanted = ControlError(code: 1, message: "", data: .init(confirm: .init(rawValue: confirm)))
            // Nobody was asked for what is chosen on a terminal.
            XCTAssertEqual(ControlClient.Failure.refused(wanted).isGivenUp, confirm != "choose", confirm)
        }
        XCTAssertFalse(ControlClient.Failure.refused(ControlError(code: 1, message: "")).isGivenUp)
        XCTAssertFalse(ControlClient.Failure.lost.isGivenUp)
    }
}
