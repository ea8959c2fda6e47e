import Foundation
import XCTest

@testable import ShellRules

/// Get Started: when it opens, its rows, and the arguments of the terminal command.
final class FirstRunTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z", uptime: 100)

    private func attachment(
        connections: Int = 0, passphrase: PassphraseStatus.State = .none, asks: [AskView] = []
    ) throws -> ShellEvent {
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        status.connections = connections
        status.passphrase = PassphraseStatus(state: passphrase)
        return .attachment(ShellAttachment(asks: asks, status: status))
    }

    func testTheFirstLaunchByHandShowsItAloneAndAtOnce() throws {
        var state = ShellState(start: .byHand)
        XCTAssertEqual(state.handle(.launchedByHand, at: now), [.showWindow(.firstRun)], "before anything is known of the daemon")
        _ = state.handle(.presence(.opened(.firstRun)), at: now)
        state.link = .connected
        let attached = state.handle(try attachment(), at: now)
        XCTAssertFalse(attached.contains(.showWindow(.firstRun)) || attached.contains(.showSettings(.connections)))
        _ = state.handle(.presence(.closed(.firstRun)), at: now)
        XCTAssertEqual(state.handle(.reopened, at: now), [.showSettings(.connections)], "once")
        for later in [ShellState(start: .byHand, hasShownFirstRun: true), ShellState(start: .byHand, isPassing: true)] {
            var later = later
            XCTAssertEqual(later.handle(.reopened, at: now), [.showSettings(.connections)])
        }
    }

    func testALaunchThatNobodyMadeShowsItOnceThePersonOpensTheApp() throws {
        for connections in [0, 1] {
            var state = ShellState(start: .byLink)
            state.link = .connected
            XCTAssertFalse(state.handle(try attachment(connections: connections), at: now).contains(.showWindow(.firstRun)))
            let window: ShellEffect = connections == 0 ? .showWindow(.firstRun) : .showSettings(.connections)
            XCTAssertEqual(state.handle(.reopened, at: now), [window], "a home with connections needs no start")
        }
    }

    func testItComesOverNothingThatAsks() throws {
        var state = ShellState(start: .byLink)
        _ = state.handle(.pairingBegun(try Fixtures.ask("t5y7w3kd")), at: now)
        _ = state.handle(.presence(.opened(.desk)), at: now)
        XCTAssertEqual(state.handle(.reopened, at: now), [])
    }

    func testTheMenuLeadsToItWhileThereIsNoConnection() throws {
        let item = MenuContent.Item.button(.getStarted, "Get Started…")
        var state = ShellState(start: .byHand, hasShownFirstRun: true)
        state.link = .connected
        _ = state.handle(try attachment(), at: now)
        XCTAssertTrue(state.menu.items.contains(item))
        XCTAssertEqual(state.handle(.chose(.getStarted), at: now), [.showWindow(.firstRun)])
        XCTAssertEqual(state.handle(.notification(.connectionsChanged), at: now), [.askStatus], "with no window open, too")
        XCTAssertEqual(state.handle(.presence(.opened(.firstRun)), at: now), [.loadLists])
        XCTAssertEqual(state.handle(.notification(.connectionsChanged), at: now), [.loadLists])
        _ = state.handle(try attachment(connections: 1), at: now)
        XCTAssertFalse(state.menu.items.contains(item))
        var passing = ShellState(start: .byHand, isPassing: true)
        XCTAssertEqual(passing.handle(.chose(.getStarted), at: now), [.tell(BundlePlace.moveSentence)])
        XCTAssertFalse(passing.menu.items.contains(item), "not before the daemon has said so")
    }

    static let said = """
        {"databases":[{"name":"shop\u{202e}","place":"postgres  anna@db:5432/shop","from":"~/.pgpass, with its password"}],
        "unreadable":[],"clients":[{"client":"zed","title":"Zed","file":"/z","connected":true},
        {"client":"cursor","title":"Cursor","file":"/c","connected":false}]}
        """

    private func status(_ passphrase: PassphraseStatus.State = .none, in secrets: SecretPlace = .keychain) throws -> DaemonStatus {
        var status = try Fixtures.read(Fixtures.Answered<DaemonStatus>.self, "control/status.result").result
        (status.connections, status.passphrase, status.secrets) = (0, PassphraseStatus(state: passphrase), secrets)
        return status
    }

    private func row(_ setup: FirstRun, _ part: FirstRun.Part, isPassing: Bool = false) throws -> FirstRun.Row {
        try XCTUnwrap(setup.rows(try status(), isPassing: isPassing).first { $0.id == part })
    }

    func testWhatWasFoundIsTakenOnlyWhereItIsTicked() throws {
        var setup = FirstRun()
        XCTAssertEqual(try row(setup, .databases).state, "Looking…")
        setup.take(.init(isDone: true, output: FirstRunTests.said, remarks: ""))
        let databases = try row(setup, .databases)
        XCTAssertEqual(databases.state, "1 was found; tick it to save it.")
        XCTAssertEqual(databases.options.map(\.title), ["shop\\u{202e}"])
        XCTAssertEqual(databases.options.map(\.detail), ["postgres  anna@db:5432/shop, ~/.pgpass, with its password"])
        XCTAssertFalse(databases.isEnabled, "nothing is ticked")
        let clients = try row(setup, .clients)
        XCTAssertEqual([clients.state] + clients.options.map(\.title), ["Connected: Zed", "Cursor"])
        XCTAssertTrue(clients.isDone)
        XCTAssertFalse(clients.isEnabled)
        setup.tick("cursor", true)
        XCTAssertTrue(try row(setup, .clients).isEnabled)
        XCTAssertFalse(try row(setup, .databases).isEnabled, "what is ticked elsewhere")
        setup.tick("postgres  anna@db:5432/shop", true)
        var saving = setup
        XCTAssertEqual(saving.begin(.databases), [["connections", "import", "--save", "postgres  anna@db:5432/shop"]])
        XCTAssertEqual(setup.begin(.clients), [["connect", "cursor", "--write"]])
        for part in FirstRun.Part.allCases { XCTAssertFalse(try row(setup, part).isEnabled, "one after the other") }
        setup.ended(
            .clients, [.init(isDone: true, output: "Cursor has it\u{202e}.\nRestart Cursor.\n", remarks: "sallyport: No.\n")])
        XCTAssertEqual(try row(setup, .clients).state, "Cursor has it\\u{202e}.\nRestart Cursor.\nNo.")
        setup.take(.init(isDone: true, output: #"{"databases":[],"clients":[]}"#, remarks: ""))
        XCTAssertEqual(setup.chosen, [], "what is there no more is not ticked")
        XCTAssertEqual(try row(setup, .databases).state, "None was found that is not saved yet.")
    }

    static let saidOfTwo = """
        {"databases":[{"name":"shop","place":"a","from":"f"},{"name":"stock","place":"b","from":"f"}],
        "clients":[{"client":"zed","title":"Zed","file":"/z","connected":false},
        {"client":"cursor","title":"Cursor","file":"/c","connected":false}]}
        """

    func testOfTwoTheTickedOneIsTaken() {
        var setup = FirstRun()
        setup.take(.init(isDone: true, output: FirstRunTests.saidOfTwo, remarks: ""))
        setup.tick("b", true)
        XCTAssertEqual(setup.begin(.databases), [["connections", "import", "--save", "b"]])
        setup.tick("cursor", true)
        XCTAssertEqual(setup.begin(.clients), [["connect", "cursor", "--write"]])
    }

    func testWhatCanNotBeLookedForIsSaid() throws {
        var setup = FirstRun()
        let failure = #"{"error":{"code":"failed","message":"It is not there."}}"#
        setup.take(.init(isDone: false, output: failure, remarks: "sallyport: It is not there.\n"))
        XCTAssertEqual(try row(setup, .databases).state, "It is not there.")
        XCTAssertEqual(try row(setup, .clients).state, "It is not there.")
        setup.take(.init(isDone: true, output: "no JSON", remarks: ""))
        XCTAssertEqual(try row(setup, .clients).options, [])
        let away = setup.rows(nil, isPassing: false)
        XCTAssertFalse(away.contains(where: \.isEnabled), "the daemon is away")
    }

    func testNoClientIsLedToAPlaceThatIsGoneSoon() throws {
        var setup = FirstRun()
        setup.take(.init(isDone: true, output: FirstRunTests.said, remarks: ""))
        setup.tick("cursor", true)
        let clients = try row(setup, .clients, isPassing: true)
        XCTAssertEqual(clients.state, BundlePlace.moveSentence)
        XCTAssertFalse(clients.isEnabled)
        XCTAssertEqual(clients.options, [])
    }

    func testTheDemoAndThePassphraseSayWhatHolds() throws {
        var setup = FirstRun()
        XCTAssertTrue(try row(setup, .demo).isEnabled)
        XCTAssertFalse(try row(setup, .demo).isDone)
        _ = setup.begin(.demo)
        setup.made(nil)
        XCTAssertFalse(try row(setup, .demo).isDone, "it was told why")
        XCTAssertTrue(try row(setup, .demo).isEnabled)
        setup.made(try Fixtures.read(Fixtures.Answered<ConnectionView>.self, "control/demo.create.result").result)
        XCTAssertEqual(try row(setup, .demo).state, "“Demo” is saved.")
        XCTAssertTrue(try row(setup, .demo).isDone)
        XCTAssertTrue(try row(setup, .passphrase).isEnabled)
        let set = setup.rows(try status(.set), isPassing: false).last
        XCTAssertEqual(set?.isDone, true)
        XCTAssertEqual(set?.isEnabled, false)
        let inFile = setup.rows(try status(in: .file), isPassing: false).last
        XCTAssertEqual(inFile?.isEnabled, false, "a terminal chooses it there")
    }

    func testTheTerminalCommandIsHeardToItsEndAndToldLittle() async throws {
        let folder = TestFolder()
        folder.write(
            "program",
            "#!/bin/sh\necho \"$1 $2\"\nenv\nhead -c 200000 /dev/zero | tr '\\0' x >&2\nhead -c 200000 /dev/zero | tr '\\0' y\nexit 3\n",
            mode: 0o700)
        let program = TerminalProgram(
            URL(fileURLWithPath: "\(folder.path)/program"), environment: ["HOME": folder.path, "PGPASSWORD": "hunter2"])
        let ran = await program.run(["one", "and two"])
        XCTAssertFalse(ran.isDone)
        XCTAssertTrue(ran.output.hasPrefix("one and two\n"))
        XCTAssertTrue(ran.output.contains("HOME=\(folder.path)\n"))
        XCTAssertFalse(ran.output.contains("hunter2"))
        XCTAssertTrue(ran.output.hasSuffix(String(repeating: "y", count: 200_000)))
        XCTAssertEqual(ran.remarks.count, 200_000)
        let none = await TerminalProgram(URL(fileURLWithPath: "\(folder.path)/none"), environment: [:]).run([])
        XCTAssertFalse(none.isDone)
        XCTAssertFalse(none.remarks.isEmpty)
    }
}
