import Foundation
import XCTest

@testable import ShellRules

/// Requests without a proof. RealDaemonTests ask the real daemon.
final class BrakesTests: XCTestCase {
    private let folder = TestFolder()
    private let heard = Locked<[String]>([])
    private var path: String { "\(folder.path)/control.sock" }

    private var brakes: Brakes {
        let home = folder.path
        return Brakes { Locations(home: home) }
    }

    private func peer(at path: String? = nil, answering line: String?) -> TestPeer {
        let heard = heard
        return TestPeer(at: path ?? self.path) { talk in
            while let asked = talk.hear() {
                heard.use { $0.append(asked) }
                if let line { talk.say(line) }
            }
        }
    }

    func testABrakeIsOnePlainLine() async throws {
        let peer = peer(answering: #"{"jsonrpc":"2.0","id":1,"result":{"pid":42}}"#)
        defer { peer.end() }
        let stopped = try await brakes.ask(Command.Stop()).get()
        XCTAssertEqual(stopped.pid, 42)
        XCTAssertEqual(heard.use { $0 }, [#"{"id":1,"jsonrpc":"2.0","method":"stop","params":{}}"#])
    }

    func testARefusalIsTheDaemons() async {
        let peer = peer(answering: #"{"jsonrpc":"2.0","id":1,"error":{"code":-33009,"message":"Not without a proof."}}"#)
        defer { peer.end() }
        let refused = await brakes.ask(Command.SettingsSet(key: "enabled", value: .boolean(true)))
        XCTAssertEqual(refused, .failure(.refused(ControlError(code: -33_009, message: "Not without a proof."))))
    }

    func testNothingElseIsSentWithoutAProof() async throws {
        let peer = peer(answering: #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        defer { peer.end() }
        let resumed = await brakes.ask(Command.Resume())
        XCTAssertEqual(resumed.failure, .lost)
        let secret = Command.ConnectionsSave(
            connection: "x", password: .stored(value: "hunter2"), externalClients: .init(level: .blocked))
        let saved = await brakes.ask(secret, because: "Nothing was proved.")
        XCTAssertEqual(saved.failure?.sentence, "Nothing was proved.")
        let passphrase = await brakes.ask(Command.PassphraseSet(passphrase: "correct horse"))
        XCTAssertEqual(passphrase.failure, .lost)
        for asked in [
            Command.ConnectionsSave(connection: "x", externalClients: .init(level: .blocked)),
            Command.ConnectionsSave(connection: "x", aiPolicy: AiPolicy.allCases[0]),
        ] { XCTAssertTrue(asked.isBrake) }
        for asked in [
            Command.ConnectionsSave(externalClients: .init(level: .blocked)), Command.ConnectionsSave(connection: "x", name: "y"),
            Command.ConnectionsSave(connection: "x", endpoint: Endpoint(engine: .sqlite, filePath: "/x")),
            Command.ConnectionsSave(connection: "x", colour: .clear),
        ] { XCTAssertFalse(asked.isBrake) }
        for typed in [nil, [:], ["externalClients": "blocked", "aiPolicy": "never"], ["externalClients.forSeconds": "tonight"]] {
            XCTAssertTrue(Command.ConnectionsForm(connection: "x", typed: typed, home: "/").isBrake)
        }
        let pasted = Command.ConnectionsForm(connection: "x", url: "postgres://anna:hunter2@h/d", home: "/")
        let typed = Command.ConnectionsForm(
            connection: "x", typed: ["externalClients": "blocked", "password.value": "hunter2"], home: "/")
        for asked in [pasted, typed] {
            let refused = await brakes.ask(asked, because: "Nothing was proved.")
            XCTAssertEqual(refused.failure?.sentence, "Nothing was proved.")
        }
        XCTAssertFalse(Command.SettingsSet(key: "port", value: .integer(1)).isBrake)
        XCTAssertEqual(heard.use { $0 }, [])
    }

    func testOnlyASocketOfThisUserIsAsked() async throws {
        let nobody = await brakes.ask(Command.Pause())
        XCTAssertEqual(nobody.failure, .lost, "nobody listens")
        let peer = peer(at: "\(folder.path)/other.sock", answering: #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        defer { peer.end() }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder.path)/other.sock")
        let linked = await brakes.ask(Command.Pause())
        XCTAssertEqual(linked.failure, .lost)
        try FileManager.default.removeItem(atPath: path)
        folder.write("control.sock", "")
        let file = await brakes.ask(Command.Pause())
        XCTAssertEqual(file.failure, .lost)
        if getuid() == 0 {
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: "\(folder.path)/other.sock", toPath: path)
            chown(path, 65_533, 65_533)
            let theirs = await brakes.ask(Command.Pause())
            XCTAssertEqual(theirs.failure, .lost)
        }
        XCTAssertEqual(heard.use { $0 }, [])
    }

    func testAnAnswerOfAnotherFormIsNone() async {
        let peer = peer(answering: "no JSON")
        defer { peer.end() }
        let asked = await brakes.ask(Command.Status())
        XCTAssertEqual(asked.failure, .unreadable)
    }

    func testTheMenuPausesWithoutAProof() throws {
        let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)
        var state = ShellState(start: .byLink)
        XCTAssertEqual(state.handle(.link(.untrusted("The secrets can't be read.")), at: now), [.askStatus])
        XCTAssertFalse(state.menu.items.contains(.button(.pause, "Pause")), "nobody knows whether it serves")
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        _ = state.handle(.status(status), at: now)
        XCTAssertEqual(state.menu.icon, .troubled)
        XCTAssertTrue(state.menu.items.contains(.button(.pause, "Pause")))
        XCTAssertEqual(state.handle(.chose(.pause), at: now), [.pause])
        status.state = .paused
        _ = state.handle(.status(status), at: now)
        XCTAssertFalse(state.menu.items.contains(.button(.pause, "Pause")))
        XCTAssertFalse(state.menu.items.contains(.button(.resume, "Resume")), "that gives access")
        _ = state.handle(.presence(.opened(.settings)), at: now)
        XCTAssertEqual(state.handle(.link(.denied), at: now), [.loadLists])
        _ = state.handle(.link(.gaveUp), at: now)
        XCTAssertEqual(state.link, .denied)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
