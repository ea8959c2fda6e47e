import XCTest

@testable import ShellRules

/// What Settings says about the owner passphrase, and the actions that it offers.
final class PassphrasePaneTests: XCTestCase {
    private func pane(_ change: (inout DaemonStatus) -> Void = { _ in }) throws -> PassphrasePane {
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        change(&status)
        return PassphrasePane(status) { String(Instant.text($0).prefix(10)) }
    }

    func testASetOneSaysWhoChoseItUntilItWasThem() throws {
        let fresh = try pane()
        XCTAssertTrue(fresh.explanation.hasPrefix("Set. It confirms"), fresh.explanation)
        XCTAssertEqual(fresh.actions, [.turnOff, .reset, .change])
        XCTAssertEqual(
            fresh.chosen, "Chosen 2026-11-20 by sallyport (process 4711, started by bash) on /dev/pts/3.")
        XCTAssertEqual(fresh.doubt, "Was it you? If not, Forgot It… takes back what was allowed.")
        XCTAssertNil(fresh.reset)
        let theirs = try pane { $0.passphrase.chosen?.confirmedAt = "2026-11-20T12:00:00.000Z" }
        XCTAssertEqual(theirs.chosen, fresh.chosen)
        XCTAssertNil(theirs.doubt)
        let old = try pane { $0.passphrase.chosen = nil }
        XCTAssertNil(old.chosen, "of an earlier version nobody knows")
        XCTAssertNil(old.doubt)
    }

    func testNoneSaysWhatFollowsWhereTheAppConfirmsAndWhereItDoesNot() throws {
        let terminal = "until you choose one in a terminal: `sallyport passphrase set`."
        for (secrets, sentence, actions) in [
            (SecretPlace.file, "What gives AI clients more access can't be allowed " + terminal, [PassphrasePane.Action.turnOff]),
            (.keychain, "A yes in this app confirms what gives AI clients more access.", [.turnOff, .choose]),
        ] {
            let none = try pane { status in
                status.secrets = secrets
                status.passphrase = PassphraseStatus(state: .none, chosen: nil, reset: nil)
            }
            XCTAssertEqual(none.explanation, "Not chosen. \(sentence)")
            XCTAssertEqual(none.actions, actions)
            let off = try pane { ($0.secrets, $0.passphrase.state) = (secrets, .off) }
            XCTAssertEqual(off.actions, actions.filter { $0 == .choose })
            XCTAssertEqual(off.explanation.hasSuffix(terminal), secrets == .file, off.explanation)
        }
    }

    func testOffIsSpelledOut() throws {
        let off = try pane { ($0.secrets, $0.passphrase.state) = (.keychain, .off) }
        XCTAssertEqual(off.explanation, "Off. Any program that runs as you, your agents too, can grant itself any access.")
        XCTAssertEqual(off.actions, [.choose])
        XCTAssertEqual(off.chosen?.hasPrefix("Turned off 2026-11-20 by sallyport"), true)
        XCTAssertEqual(off.doubt?.hasPrefix("Was it you? If not, choose a passphrase"), true)
    }

    func testAResetThatWaitsSaysWhatToDo() throws {
        let sample = try Fixtures.read(Fixtures.Answered<PassphraseStatus>.self, "control/passphrase.reset.result").result
        let waiting = try pane { status in
            status.passphrase = sample
            status.passphrase.reset?.by = "agent\u{202e}\n"
        }
        XCTAssertEqual(
            waiting.reset,
            "A new owner passphrase, chosen 2026-11-20 by agent\\u{202e}\\u{a}, counts from 2026-11-21 on. If that was not you, "
                + "choose Change… before then, which ends it.")
        XCTAssertEqual(waiting.actions, [.turnOff, .reset, .change])
    }

    func testWhatNobodyHasConfirmedIsListedAndKeptUnderAPassphraseAlone() throws {
        let lines = ["2026-11-20 12:00: lets clients write to \"Shop\u{202e}\""]
        for (state, mayKeep) in [(PassphraseStatus.State.set, true), (.off, false), (.none, false)] {
            let one = try pane { ($0.passphrase.state, $0.passphrase.unconfirmed) = (state, lines) }
            XCTAssertEqual(one.unconfirmed, ["2026-11-20 12:00: lets clients write to \"Shop\\u{202e}\""])
            XCTAssertEqual(one.mayKeep, mayKeep)
        }
        XCTAssertEqual(try pane { $0.passphrase.unconfirmed = nil }.unconfirmed, [])
    }

    func testWithoutADaemonNothingCanBeDone() {
        let away = PassphrasePane(nil) { _ in "" }
        XCTAssertEqual(away.actions, [])
        XCTAssertNil(away.chosen)
        XCTAssertNil(away.doubt)
        XCTAssertNil(away.reset)
    }
}
