import Foundation
import XCTest

@testable import ShellRules

/// Against the built daemon, which test/shell-macos/run.mjs starts. Without it these tests are
/// skipped. `Outside` tells an extension and an MCP client in other processes what to do.
final class RealDaemonTests: XCTestCase {
    private struct Place: Decodable {
        let home, mail, link: String
    }

    private func place() throws -> Place {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../.build/real-daemon.json")
        guard let bytes = FileManager.default.contents(atPath: file.standardizedFileURL.path) else {
            throw XCTSkip("no daemon: run test/shell-macos/run.mjs")
        }
        return try JSONText.decode(Place.self, from: String(decoding: bytes, as: UTF8.self))
    }

    private func running(_ place: Place) -> (RunningShell, Task<Void, Never>) {
        let shell = RunningShell()
        let locations = Locations(home: place.home)
        let link = DaemonLink(
            connect: { await Connecting.toDaemon(of: locations, shell: "app") { _ in .unusable("a test asks no keychain") } },
            sleep: { try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000)) },
            uptimeSeconds: { ProcessInfo.processInfo.systemUptime }, chance: { Double.random(in: 0...1) })
        let task = Task {
            await link.run(tell: { await shell.handle(.link($0)) }, notify: { await shell.handle(.notification($0)) })
        }
        return (shell, task)
    }

    private func until(_ what: String, line: UInt = #line, _ isSo: () async -> Bool) async throws {
        for _ in 0..<600 {
            if await isSo() { return }
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        XCTFail("never: \(what)", line: line)
        throw XCTSkip("never: \(what)")
    }

    private func refusal(_ ask: () async throws -> Void) async throws -> ControlError? {
        do { try await ask() } catch ControlClient.Failure.refused(let error) { return error }
        return nil
    }

    /// One story, because all share one daemon: each step needs what the last one left.
    func testThePersonsWholeDay() async throws {
        let place = try place()
        let (shell, link) = running(place)
        defer { link.cancel() }
        try await until("connected") { await shell.state.status != nil }
        let connected = await shell.client
        let client = try XCTUnwrap(connected)

        let status = try await client.ask(Command.Status())
        XCTAssertEqual(status.shells, ["app"])
        XCTAssertEqual(status.state, .ready)
        let menu = await shell.state.menu
        XCTAssertEqual(menu.icon, .running)
        XCTAssertFalse(menu.items.contains(.text("Questions go to a terminal")), "it is at one")

        try await anImpostorWouldGetNothing(place)
        try await finds(place)
        let demo = try await connections(client)
        try await pairs(shell, place)
        let minted = try await tokens(client, demo)
        try await questions(shell, client, place, demo, minted)
        try await requests(shell, client, place, demo)
        try await settings(shell, client)
        try await privilegeIncrease(client, place)
        try await listsFollow(shell, client)
        try await brakes(client, place, demo)
        try await revokes(client, place, minted)
        try await stops(shell, client)
    }

    private func anImpostorWouldGetNothing(_ place: Place) async throws {
        let wrong = await Connecting.prove(Locations(home: place.home), shell: "app", secret: "another secret")
        guard case .untrusted(let sentence) = wrong else { return XCTFail("\(wrong)") }
        XCTAssertTrue(sentence.contains("did not prove to be the daemon"), sentence)
    }

    private func connections(_ client: ControlClient) async throws -> ConnectionView {
        let demo = try await client.ask(Command.DemoCreate())
        let listed = try await client.ask(Command.ConnectionsList())
        XCTAssertEqual(listed.connections.map(\.name), ["Demo"])

        var form = try await form(client)
        form.paste(.success(try await client.ask(form.reading(url: "postgres://anna:hunter2@db.invalid/shop"))))
        form["name"] = "Größe 数据"
        form["tags"] = "eu, prod"
        let saved = try await save(client, form)
        XCTAssertEqual(saved.password, .stored)
        XCTAssertEqual(saved.port, 5_432)
        XCTAssertEqual(saved.tls.mode, .verifyFull)
        var again = try await self.form(client, saved.id)
        again["group"] = "Work"
        again["tags"] = ""
        again["statementTimeoutSeconds"] = "7"
        let changed = try await save(client, again)
        XCTAssertEqual(changed.group, "Work")
        XCTAssertEqual(changed.tags, [])
        XCTAssertEqual(changed.statementTimeoutSeconds, 7)
        XCTAssertEqual(changed.password, .stored)
        guard case .notReachable(_, _, let problem, _) = try await client.ask(Command.ConnectionsTest(connection: saved.id)) else {
            XCTFail("db.invalid is there")
            return demo
        }
        XCTAssertFalse(problem.contains("hunter2"))
        try await comesBack(client, changed)
        try await moves(client)
        try await eachWrongFieldIsNamed(client)
        try await isTriedBeforeItIsSaved(client, demo)

        var edited = try await self.form(client, demo.id)
        edited["externalClients"] = "readWrite"
        edited["externalClients.forSeconds"] = "tonight"
        let writable = try await save(client, edited)
        XCTAssertEqual(writable.externalClients.now, .readWrite)
        XCTAssertTrue(ConnectionRow(writable, at: Date()).access.hasPrefix("Read & Write for"))
        guard case .reachable(let database) = try await client.ask(Command.ConnectionsTest(connection: demo.id)) else {
            XCTFail("the demo is not there")
            return writable
        }
        XCTAssertTrue(database.serverVersion.contains("SQLite"), database.serverVersion)
        let wrong = try await refusal { _ = try await client.ask(form.reading(url: "postgres://u:hun#ter2@h/d")) }
        XCTAssertEqual(wrong?.message.hasPrefix("The URL has a bare # in it"), true)
        let snippets = try await client.ask(Command.SnippetsList()).snippets
        for kind in ConnectClientSheet.Kind.allCases {
            var sheet = ConnectClientSheet(kind: kind, port: 27_432)
            sheet.take(.success(.init(snippets: snippets, notes: [])))
            XCTAssertNotNil(sheet.steps.compactMap(\.snippet).first, kind.label)
        }
        let missing = try await refusal { _ = try await client.ask(Command.ConnectionsShow(connection: "no such")) }
        XCTAssertEqual(missing?.message.contains("no connection"), true)
        return writable
    }

    private func form(_ client: ControlClient, _ connection: String? = nil) async throws -> ConnectionForm {
        ConnectionForm(connection, try await client.ask(ConnectionForm.opening(connection)))
    }

    private func save(_ client: ControlClient, _ form: ConnectionForm) async throws -> ConnectionView {
        let draft = try await client.ask(form.saving).draft
        return try await client.ask(try XCTUnwrap(draft))
    }

    private func test(_ client: ControlClient, _ form: ConnectionForm) async throws -> ConnectionTestResult {
        let draft = try await client.ask(form.trying).draft
        return try await client.ask(try XCTUnwrap(draft).trial(hostKey: nil))
    }

    /// For a wrong value in any field, the daemon names that field and the editor shows the mistake
    /// there.
    private func eachWrongFieldIsNamed(_ client: ControlClient) async throws {
        let ssh = ["tunnel": "ssh", "tunnel.destination": "a"]
        let certificate = ["tls.clientCertificate.certificateFile": "/a.crt", "tls.clientCertificate.keyFile": "/a.key"]
        let wrong: [(field: String, typed: [String: String])] = [
            ("name", ["name": ""]), ("name", ["name": "0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a11"]),
            ("endpoint.host", ["endpoint.host": ""]), ("endpoint.host", ["endpoint.host": "h1,,h2"]),
            ("endpoint.port", ["endpoint.port": "many"]),
            ("endpoint.socketPath", ["place": "socket", "endpoint.socketPath": "~otto/x"]),
            ("endpoint.filePath", ["engine": "sqlite"]), ("endpoint.database", ["endpoint.database": " x"]),
            ("endpoint.user", ["endpoint.user": "a:b"]), ("password.value", ["password": "stored"]),
            ("password.command", ["password": "command", "password.command": " "]),
            ("tls.caFile", ["tls": "require", "tls.caFile": "/ca.pem"]), ("tls.caFile", ["tls.caFile": "~otto/ca.pem"]),
            ("tls.clientCertificate.keyFile", ["tls.clientCertificate.certificateFile": "/a.crt"]),
            ("tls.clientCertificate.certificateFile", ["tls.clientCertificate.keyFile": "/a.key"]),
            ("tls", certificate.merging(["tls": "disable"]) { $1 }),
            ("tls.keyPassphrase", ["tls.keyPassphrase": "x"]), ("timeZone", ["timeZone": "Mars"]),
            ("tunnel.destination", ["tunnel": "ssh"]), ("tunnel.jumps", ssh.merging(["tunnel.jumps": "b, c;id"]) { $1 }),
            ("tunnel.keyFile", ssh.merging(["tunnel.keyFile": "~otto/k"]) { $1 }), ("tunnel.command", ["tunnel": "command"]),
            ("sshPassphrase", ssh.merging(["sshPassphrase": "x"]) { $1 }),
            ("statementTimeoutSeconds", ["statementTimeoutSeconds": "301"]), ("rowLimit", ["rowLimit": "0"]),
            ("writeRowLimit", ["writeRowLimit": "many"]), ("group", ["group": "\u{202e}"]), ("tags", ["tags": "a, b\u{202e}"]),
        ]
        var form = try await form(client)
        for (field, typed) in wrong {
            form = try await self.form(client)
            (form["name"], form["endpoint.host"]) = ("Wrong", "db.invalid")
            for (key, value) in typed { form[key] = value }
            for asked in ["save", "try"] {
                // The test gives a name to a connection without one.
                if asked == "try", form["name"].isEmpty { continue }
                do {
                    if asked == "save" { _ = try await save(client, form) } else { _ = try await test(client, form) }
                    XCTFail("\(field) is taken")
                } catch let failure as ControlClient.Failure {
                    form.refused(failure)
                }
                XCTAssertEqual(form.refusedField?.key, field, "\(asked): \(form.refusal?.sentence ?? "")")
                XCTAssertEqual(form.refusal?.sentence.first?.isLowercase, false)
            }
        }
        let typedIn = form.sections.flatMap(\.fields).filter { $0.kind != .choice }.map(\.key)
        XCTAssertEqual(Set(typedIn).subtracting(wrong.map(\.field)), ["sshPassword"], "any is right")
    }

    private func isTriedBeforeItIsSaved(_ client: ControlClient, _ demo: ConnectionView) async throws {
        var form = try await form(client)
        form["engine"] = "sqlite"
        form["endpoint.filePath"] = demo.filePath ?? ""
        guard case .reachable(let database) = try await test(client, form) else { return XCTFail("not there") }
        XCTAssertEqual(database.name, "New connection")
        let saved = try await client.ask(Command.ConnectionsList()).connections
        XCTAssertEqual(saved.map(\.name), ["Demo"])
    }

    private func comesBack(_ client: ControlClient, _ saved: ConnectionView) async throws {
        let deleted = try await client.ask(Command.ConnectionsDelete(connection: saved.name))
        let removed = try await client.ask(Command.ConnectionsRemoved()).removed
        XCTAssertEqual(removed.map(\.connection.id), [saved.id])
        XCTAssertEqual(removed.map(\.keptUntil), [deleted.keptUntil])
        let restored = try await client.ask(Command.ConnectionsRestore(connection: saved.name))
        XCTAssertEqual([restored.id, restored.name], [saved.id, saved.name])
        XCTAssertEqual(restored.password, .stored, "kept with it")
        _ = try await client.ask(Command.ConnectionsDelete(connection: saved.id))
    }

    /// Changes the place, with the TLS mode that the form shows.
    private func moves(_ client: ControlClient) async throws {
        var form = try await form(client)
        form.paste(.success(try await client.ask(form.reading(url: "postgres://anna@localhost/shop"))))
        form["name"] = "Moved"
        var saved = try await save(client, form)
        XCTAssertEqual(saved.tls.mode, .prefer)
        for (url, shown, mode) in [
            ("postgres://anna@db.invalid/shop", "", .verifyFull), ("postgres://anna@127.0.0.1/shop", "", .prefer),
            ("postgres://anna@db.invalid/shop?sslmode=require", "require", .require),
            ("postgres://anna@db.invalid/another", "require", .require),
        ] as [(String, String, TlsMode)] {
            var edited = try await self.form(client, saved.id)
            edited.paste(.success(try await client.ask(edited.reading(url: url))))
            let field = edited.sections(of: .general).flatMap(\.fields).first { $0.label == "Encryption" }
            XCTAssertEqual(edited[shown: field?.key ?? ""], shown, url)
            saved = try await save(client, edited)
            XCTAssertEqual(saved.tls.mode, mode, url)
        }
        var typed = try await self.form(client, saved.id)
        typed["endpoint.host"] = "db2.invalid"
        typed["tls"] = "verify-ca"
        typed["tls.caFile"] = "/ca.pem"
        saved = try await save(client, typed)
        typed = try await self.form(client, saved.id)
        typed["endpoint.host"] = "db3.invalid"
        saved = try await save(client, typed)
        XCTAssertEqual(saved.tls, ConnectionTls(mode: .verifyFull, caFile: "/ca.pem"), "as such a place has it")
        _ = try await client.ask(Command.ConnectionsDelete(connection: saved.name))
    }

    /// What is drawn.
    private func card(_ shell: RunningShell, _ what: String, line: UInt = #line) async throws -> AskSheet {
        try await until(what, line: line) { await shell.state.desk.sheet != nil }
        let sheet = await shell.state.desk.sheet
        return try XCTUnwrap(sheet)
    }

    /// After the first moment, in which nothing can be approved.
    private func isHeard(_ shell: RunningShell) async throws {
        try await until("heard") { await shell.state.desk.sheet?.yesButton(at: RunningShell.now).isEnabled == true }
    }

    private func readsAll(_ shell: RunningShell) async throws {
        let sheet = try await card(shell, "a card")
        await shell.handle(.sheet(id: sheet.id, .endShown(of: sheet.reading)))
        try await isHeard(shell)
    }

    private func pairs(_ shell: RunningShell, _ place: Place) async throws {
        await shell.handle(.opened(address: place.link))
        let sheet = try await card(shell, "a pairing")
        let windows = await shell.shown
        XCTAssertTrue(windows.contains(.desk))
        XCTAssertEqual(sheet.views[0].shownFacts[0].value, "Swift’s extension\\u{202e}")
        XCTAssertEqual(sheet.pairing?.scope, .readOnly)
        XCTAssertEqual(sheet.pairing?.ticked, [], "the link names none")
        await shell.handle(.sheet(id: sheet.id, .chose(.scope(.fullAccess))))
        await shell.handle(.sheet(id: sheet.id, .chose(.all(true))))
        try await isHeard(shell)
        await shell.handle(.sheet(id: sheet.id, .pressed(.yes)))
        try await until("an address to open") { await shell.opened.count == 1 }
        let after = await shell.shown
        XCTAssertFalse(after.contains(.desk))
        let answer = try await Outside(place.mail).ask(["do": .string("open"), "address": .string(await shell.opened[0])])
        XCTAssertEqual(answer["paired"], .bool(true), "\(answer)")
        XCTAssertEqual(answer["state"], .string("as it was"))

        await shell.handle(
            .opened(address: place.link.replacingOccurrences(of: "http%3A%2F%2F127.0.0.1", with: "https%3A%2F%2Fevil.example")))
        let told = await shell.told
        XCTAssertEqual(told, ["The redirect address is not a local callback, so pairing was refused."])
    }

    private func tokens(_ client: ControlClient, _ demo: ConnectionView) async throws -> MintedToken {
        var form = TokenForm()
        form.name = "Editor"
        form.scope = .readWrite
        form.reachesAll = false
        form.ticked = [demo.id]
        form.expires = .value7
        let minted = try await client.ask(form.command(connections: [demo]))
        XCTAssertTrue(minted.token.hasPrefix("sp_"))
        let listed = try await client.ask(Command.TokensList()).tokens
        XCTAssertEqual(Set(listed.map(\.name)).isSuperset(of: ["Editor"]), true)
        XCTAssertEqual(listed.count, 2)
        let editor = listed.first { $0.name == "Editor" }
        let view = minted.tokenView
        XCTAssertEqual(editor.map { [$0.id, $0.prefix, $0.createdAt] }, [view.id, view.prefix, view.createdAt])
        XCTAssertEqual(editor?.scope, view.scope)
        XCTAssertEqual(editor?.connections, view.connections)
        // How it was confirmed is kept once it is made.
        XCTAssertEqual(editor?.confirmedBy, .unattended)
        return minted
    }

    private func questions(
        _ shell: RunningShell, _ client: ControlClient, _ place: Place, _ demo: ConnectionView, _ minted: MintedToken
    ) async throws {
        let outside = Outside(place.mail)
        func asks(_ sql: String) -> Task<[String: JSONValue], any Error> {
            let given: JSONValue = .object(["connection": .string(demo.name), "sql": .string(sql)])
            return Task {
                try await outside.ask(["do": .string("call"), "tool": .string("confirm_destructive_operation"), "arguments": given])
            }
        }
        let yes = asks("DELETE FROM\n  payments")
        let sheet = try await card(shell, "a question")
        let view = sheet.views[0]
        XCTAssertEqual(view.statementRows.filter(\.isText).map(\.text), ["DELETE FROM", "  payments"])
        let why = Language.$current.withValue(try .german()) { view.shownFacts.first { $0.label == "Warum" }?.value }
        XCTAssertEqual(why, "DELETE hat kein WHERE: Es betrifft alle Zeilen.")
        XCTAssertEqual(view.statementRows.first?.kind, .takes)
        XCTAssertEqual(view.statementRows.first?.text.contains("payments"), true, "\(view.statementRows)")
        XCTAssertEqual(view.shownFacts.first { $0.label == "Tables" }?.value, "payments")
        XCTAssertEqual(view.shownFacts.first { $0.label == "Calls itself" }?.value, "asking client")
        let badge = await shell.state.menu.badge
        XCTAssertEqual(badge, "1")
        await shell.handle(.sheet(id: sheet.id, .pressed(.yes)))
        let unread = await shell.state.desk.sheet?.deciding.isOpen
        XCTAssertEqual(unread, true, "approved before its end was shown")
        try await readsAll(shell)
        await shell.handle(.sheet(id: sheet.id, .pressed(.yes)))
        let done = try await yes.value
        XCTAssertEqual(done["isError"], .bool(false), "\(done)")
        try await until("it is gone") { await shell.state.desk.sheet == nil }

        let no = asks("DROP TABLE payments")
        let second = try await card(shell, "another question")
        await shell.handle(.sheet(id: second.id, .closed))
        let refused = try await no.value
        XCTAssertEqual(refused["isError"], .bool(true))
        XCTAssertEqual(refused["text"]?.string?.hasPrefix("user_cancelled"), true, "\(refused)")
        let notices = await shell.notices
        XCTAssertTrue(notices.contains(.withdraw(id: sheet.id)))
        // A statement within the level asks nobody.
        let read = try await outside.ask([
            "do": .string("call"), "tool": .string("execute_query"), "as": .string(minted.token),
            "arguments": .object(["connection": .string(demo.name), "sql": .string("SELECT count(*) AS n FROM payments")]),
        ])
        XCTAssertEqual(read["isError"], .bool(false), "\(read)")
    }

    /// Refused requests wait and get each kind of answer. The list changes while it is open.
    private func requests(_ shell: RunningShell, _ client: ControlClient, _ place: Place, _ demo: ConnectionView) async throws {
        let reader = try await client.ask(
            Command.TokensMint(
                name: "Reader", scope: .readOnly, connections: .only([demo.id]), expires: .value1, confirmInClient: false)
        ).token
        func sends(_ sql: String) async throws -> String {
            let answer = try await Outside(place.mail).ask([
                "do": .string("call"), "tool": .string("execute_query"), "as": .string(reader),
                "arguments": .object(["connection": .string(demo.name), "sql": .string(sql)]),
            ])
            return answer["text"]?.string ?? "\(answer)"
        }
        func isRefused(_ sql: String, waiting: String) async throws {
            let text = try await sends(sql)
            XCTAssertTrue(text.hasPrefix("denied: "), text)
            try await until("\(waiting) wait") { await shell.state.menu.badge == waiting }
        }
        func does(_ event: AskSheet.Event) async throws {
            await shell.handle(.sheet(id: try await card(shell, "a card").id, event))
        }
        func outcome() async -> String? { await shell.state.desk.outcome }
        func choosesAll() async { await shell.handle(.desk(.tickedAll(true))) }

        let change = "UPDATE customers SET language = 'de' WHERE id = 1"
        try await isRefused(change, waiting: "1")
        try await until("told") {
            await shell.notices.contains { if case .post("access-requests", _, _) = $0 { true } else { false } }
        }
        await shell.handle(.chose(.showDesk))
        let windows = await shell.shown
        XCTAssertTrue(windows.contains(.desk))
        try await until("counted") { await shell.state.desk.sheet?.uncounted == [] }
        let request = try await card(shell, "a request").views[0]
        XCTAssertEqual(request.statementRows.filter(\.isText).map(\.text), [change])
        XCTAssertEqual(
            request.statementRows.first, StatementRow(id: 0, kind: .takes, text: "changes 1 row of customers"),
            "counted as it was opened")
        XCTAssertEqual(request.lacks, .tokenScope)
        XCTAssertEqual(request.token, "Reader")
        try await does(.pressed(.yes))
        try await isSentBack(change, "denied: This still waits", sends)
        try await readsAll(shell)
        try await does(.choseTimes(2))
        try await does(.pressed(.yes))
        var said = await outcome()
        XCTAssertEqual(said, "Allowed. The client sends it again: tell it to go on.")
        for _ in 1...2 {
            let ran = try await sends(change)
            XCTAssertTrue(ran.contains(#""rows_affected":1"#), ran)
        }

        // That many runs are allowed: the third one waits again, beside what became of the first.
        try await isRefused(change, waiting: "1")
        let unmoved = await shell.state.desk
        XCTAssertNil(unmoved.sheet, "nothing is drawn under a click")
        XCTAssertTrue(unmoved.isWanted)
        await choosesAll()
        try await does(.pressed(.no))
        try await isSentBack(change, "denied: The user refused this", sends)

        let destructive = "DELETE FROM price_changes"
        try await isRefused(destructive, waiting: "1")
        await choosesAll()
        try await until("counted") { await shell.state.desk.sheet?.uncounted == [] }
        try await readsAll(shell)
        let answers = try await card(shell, "a request").answers
        XCTAssertEqual(answers, [.run, .no], "a token that may not")
        try await does(.pressed(.run))
        said = await outcome()
        XCTAssertEqual(said?.hasPrefix("Ran; "), true, said ?? "")
        try await isSentBack(destructive, #"{"rows_affected":"#, sends)

        // It is answered elsewhere while it is open here.
        try await isRefused("DELETE FROM reviews WHERE id = 2", waiting: "1")
        await choosesAll()
        try await until("counted") { await shell.state.desk.sheet?.uncounted == [] }
        try await readsAll(shell)
        let open = try await card(shell, "a request").ids
        _ = try await client.ask(Command.DeskDecide(ids: open, answer: .no))
        try await until("it says so") { await shell.state.desk.sheet?.deciding.ending != nil }
        try await does(.pressed(.run))
        try await isSentBack("DELETE FROM reviews WHERE id = 2", "denied: The user refused this", sends)
        try await does(.closed)
        await shell.handle(.desk(.left))

        _ = try await client.ask(Command.SettingsSet(key: "requests.notify", value: .boolean(false)))
        let told = await shell.notices.count
        try await isRefused("DELETE FROM reviews WHERE id = 3", waiting: "1")
        try await Task.sleep(nanoseconds: 300_000_000)
        let notices = await shell.notices
        XCTAssertEqual(notices.count, told, "\(notices)")
        _ = try await client.ask(Command.SettingsSet(key: "requests.notify", value: .boolean(true)))
        let left = try await client.ask(Command.DeskList()).asks.map(\.id)
        _ = try await client.ask(Command.DeskDecide(ids: left, answer: .no))
        try await until("none waits") { await shell.state.menu.badge == nil }
    }

    private func isSentBack(
        _ sql: String, _ expected: String, line: UInt = #line, _ sends: (String) async throws -> String
    ) async throws {
        let text = try await sends(sql)
        XCTAssertTrue(text.hasPrefix(expected), text, line: line)
    }

    private func settings(_ shell: RunningShell, _ client: ControlClient) async throws {
        let listed = try await client.ask(Command.SettingsList()).settings
        XCTAssertEqual(listed.map(\.key), try Fixtures.read([SettingView].self, "settings").map(\.key))
        var rows = SettingForm(try XCTUnwrap(listed.first { $0.key == "results.maxRows" }))
        rows.typed = "2000"
        let set = try await client.ask(try XCTUnwrap(rows.change()))
        XCTAssertEqual(set.value, .integer(2_000))
        // A command may be any text.
        for setting in listed where setting.key != "approval.hook" {
            var wrong = SettingForm(setting)
            wrong.typed = "nonsense"
            do {
                _ = try await client.ask(try XCTUnwrap(wrong.change()))
                XCTFail("\(setting.key) took it")
            } catch let failure as ControlClient.Failure {
                wrong.refused(failure)
            }
            XCTAssertEqual(wrong.problem?.hasPrefix("“\(setting.title)” takes "), true, wrong.problem ?? "nothing")
        }
        let wrong = try await refusal { _ = try await client.ask(Command.SettingsSet(key: "port", value: .integer(0))) }
        XCTAssertEqual(wrong?.message.contains("from 1 to 65535"), true, "\(String(describing: wrong))")
        _ = try await client.ask(Command.Pause())
        try await until("paused") { await shell.state.menu.icon == .paused }
        _ = try await client.ask(Command.Resume())
        try await until("running") { await shell.state.menu.icon == .running }
        let off = try await client.ask(ServerPane.switchCommand(isOn: false))
        XCTAssertEqual(off.value, .boolean(false))
        try await until("off") { await shell.state.server.isOn == false }
        _ = try await client.ask(ServerPane.switchCommand(isOn: true))
        try await until("on") { await shell.state.server.light == .green }
    }

    /// The passphrase was off until now. The person chooses one at a terminal.
    private func privilegeIncrease(_ client: ControlClient, _ place: Place) async throws {
        let mint = Command.TokensMint(name: "Wide", scope: .fullAccess, connections: .all, expires: .value1, confirmInClient: false)
        let before = try await client.ask(Command.Status())
        XCTAssertEqual(before.passphrase.state, .off)
        let unasked = try await client.ask(mint)
        XCTAssertEqual(unasked.tokenView.name, "Wide")
        let chosen = try await Outside(place.mail).ask([
            "do": .string("choosePassphrase"), "passphrase": .string(RealDaemonTests.passphrase),
        ])
        XCTAssertEqual(chosen["code"], .integer(0), "\(chosen)")
        let after = PassphrasePane(try await client.ask(Command.Status())) { Instant.text($0) }
        XCTAssertNotNil(after.chosen)
        XCTAssertNotNil(after.doubt)

        let unconfirmed = try await refusal { _ = try await client.ask(mint) }
        XCTAssertEqual(unconfirmed?.wantsPassphrase, true)
        let prompts = Locked<[String]>([])
        let confirmed = try await client.askConfirming(mint) { prompt in
            prompts.use { prompts in
                prompts.append(prompt.sentence)
                return prompts.count == 1 ? "wrong" : RealDaemonTests.passphrase
            }
        }
        XCTAssertEqual(confirmed.tokenView.name, "Wide")
        let asked = prompts.use { $0 }
        XCTAssertEqual(asked.count, 2)
        XCTAssertEqual(asked.first?.hasPrefix("This makes a Full Access token \"Wide\""), true, "\(asked)")
        XCTAssertEqual(asked.last?.hasPrefix("That is not the owner passphrase."), true, "\(asked)")
        let givenUp = try await refusal { _ = try await client.askConfirming(mint) { _ in nil } }
        XCTAssertEqual(givenUp?.wantsPassphrase, true)
        let mine = try await client.askConfirming(Command.PassphraseConfirm()) { _ in RealDaemonTests.passphrase }
        XCTAssertEqual(mine.state, .set)
        XCTAssertNotNil(mine.chosen?.confirmedAt)
    }

    private static let passphrase = "correct horse battery"

    private func listsFollow(_ shell: RunningShell, _ client: ControlClient) async throws {
        await shell.handle(.presence(.opened(.settings)))
        _ = try await client.ask(
            Command.TokensMint(
                name: "While following", scope: .readOnly, connections: .only([]), expires: .value30, confirmInClient: false))
        try await until("the list is another") { await shell.state.lists.tokens.contains { $0.name == "While following" } }
        let lists = await shell.state.lists
        XCTAssertEqual(lists.connections.map(\.name), ["Demo"])
        await shell.handle(.presence(.closed(.settings)))
    }

    /// The findings of the terminal command, as it prints them.
    private func finds(_ place: Place) async throws {
        let said = try await Outside(place.mail).ask(["do": .string("setup")])
        var setup = FirstRun()
        setup.take(.init(isDone: said["code"] == .integer(0), output: said["stdout"]?.string ?? "", remarks: ""))
        let rows = setup.rows(nil, isPassing: false)
        XCTAssertEqual(rows.first { $0.id == .clients }?.options.map(\.title), ["Cursor"], "\(said)")
        let databases = rows.first { $0.id == .databases }?.options.map(\.title) ?? []
        XCTAssertTrue(databases.contains("stock"), "\(said)")
    }

    /// The secret can't be read, and clients are served.
    private func brakes(_ client: ControlClient, _ place: Place, _ demo: ConnectionView) async throws {
        let locations = Locations(home: place.home)
        let brakes = Brakes { locations }
        chmod(locations.secrets, 0o644)
        defer { chmod(locations.secrets, 0o600) }
        guard case .untrusted(let why) = await Connecting.toDaemon(of: locations, keychain: { _ in .denied }) else {
            return XCTFail("it proves itself with what others may read")
        }
        XCTAssertTrue(why.contains("has mode 644"), why)
        let lists = await brakes.lists()
        XCTAssertEqual(lists?.connections.contains { $0.id == demo.id }, true)
        let wide = try XCTUnwrap(lists?.tokens.first { $0.name == "Wide" && $0.state == .valid })
        _ = try await brakes.ask(Command.TokensRevoke(id: wide.id)).get()
        let after = await brakes.lists()
        XCTAssertEqual(after?.tokens.first { $0.id == wide.id }?.state, .revoked)
        let block = Command.ConnectionsSave(connection: demo.id, externalClients: .init(level: .blocked))
        let blocked = try await brakes.ask(block).get()
        XCTAssertEqual(blocked.externalClients.now, .blocked)
        var form = ConnectionForm(demo.id, try await brakes.ask(ConnectionForm.opening(demo.id)).get())
        form["aiPolicy"] = "never"
        let draft = try await brakes.ask(form.saving).get().draft
        let hidden = try await brakes.ask(try XCTUnwrap(draft)).get()
        XCTAssertEqual(hidden.aiPolicy, .never)
        _ = try await brakes.ask(ServerPane.switchCommand(isOn: false)).get()
        let on = await brakes.ask(ServerPane.switchCommand(isOn: true))
        guard case .failure(.refused) = on else { return XCTFail("\(on)") }
        _ = try await client.askConfirming(ServerPane.switchCommand(isOn: true)) { _ in RealDaemonTests.passphrase }
        _ = try await brakes.ask(Command.Pause()).get()
        let paused = try await brakes.ask(Command.Status()).get()
        XCTAssertEqual(paused.state, .paused)
        _ = try await client.askConfirming(Command.Resume()) { _ in RealDaemonTests.passphrase }
    }

    private func revokes(_ client: ControlClient, _ place: Place, _ minted: MintedToken) async throws {
        _ = try await client.ask(Command.TokensRevoke(id: minted.tokenView.id))
        let row = try await client.ask(Command.TokensList()).tokens.first { $0.id == minted.tokenView.id }
        XCTAssertEqual(row?.state, .revoked)
        let refused = try await Outside(place.mail).ask([
            "do": .string("call"), "tool": .string("list_connections"), "as": .string(minted.token), "arguments": .object([:]),
        ])
        XCTAssertNotNil(refused["error"], "a revoked token was let in: \(refused)")
        _ = try await client.ask(Command.TokensDelete(id: minted.tokenView.id))
        let gone = try await client.ask(Command.TokensList()).tokens.contains { $0.id == minted.tokenView.id }
        XCTAssertFalse(gone)
    }

    private func stops(_ shell: RunningShell, _ client: ControlClient) async throws {
        let stopped = try await client.ask(Command.Stop())
        XCTAssertGreaterThan(stopped.pid, 0)
        try await until("the link is lost") { await shell.state.link != .connected }
        let menu = await shell.state.menu
        XCTAssertEqual(menu.icon, .off)
    }
}

/// The runner's extension and MCP client. Tests ask them through files.
struct Outside: Sendable {
    private let folder: String

    init(_ folder: String) {
        self.folder = folder
    }

    func ask(_ asked: [String: JSONValue]) async throws -> [String: JSONValue] {
        let name = "\(folder)/\(UUID().uuidString)"
        try JSONText.encode(asked).write(toFile: "\(name).part", atomically: false, encoding: .utf8)
        try FileManager.default.moveItem(atPath: "\(name).part", toPath: "\(name).ask.json")
        for _ in 0..<1_200 {
            if let bytes = FileManager.default.contents(atPath: "\(name).answer.json") {
                return try JSONText.decode([String: JSONValue].self, from: String(decoding: bytes, as: UTF8.self))
            }
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        throw Silence(asked: "\(asked)")
    }

    struct Silence: Error { let asked: String }
}
