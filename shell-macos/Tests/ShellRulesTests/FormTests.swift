import Foundation
import XCTest

@testable import ShellRules

final class FormTests: XCTestCase {
    private let base = PathBase(folder: "/Users/anna", home: "/Users/anna")
    private let now = moment("2026-11-20T12:00:00.000Z").wall

    private func saved() throws -> ConnectionView {
        try Fixtures.read(Fixtures.Answered<ConnectionView>.self, "control/connections.show.result").result
    }

    // MARK: Connections

    /// The daemon's reading of `postgres://anna@db.example.com/shop` and of the parameters in the
    /// URL.
    private func pasted(_ change: (inout ConnectionUrlView) -> Void = { _ in }) -> Result<ConnectionUrlView, ControlClient.Failure>
    {
        var parsed = ConnectionUrlView(
            endpoint: Endpoint(engine: .postgres, host: "db.example.com", database: "shop", user: "anna"),
            tls: .init(mode: nil, caFile: nil), password: nil, ignored: [])
        change(&parsed)
        return .success(parsed)
    }

    func testAPastedURLFillsTheFormAndItsPasswordIsTakenOut() throws {
        var form = ConnectionForm(new: base)
        XCTAssertEqual(form.reading(url: "x"), .init(url: "x", home: "/Users/anna"))
        form.paste(
            pasted {
                $0.password = "hunter2"
                $0.tls = .init(mode: .verifyCa, caFile: "/Users/anna/ca.pem")
            })
        form.fields.name = "Shop"
        let command = form.command
        XCTAssertEqual(
            command.endpoint, Endpoint(engine: .postgres, host: "db.example.com", database: "shop", user: "anna"))
        XCTAssertEqual(command.password, .stored(value: "hunter2"))
        XCTAssertEqual(command.tls, Command.ConnectionsSave.Tls(mode: .verifyCa, caFile: .set("/Users/anna/ca.pem")))
        XCTAssertNil(command.externalClients, "Read Only is where every connection begins")
        XCTAssertNil(command.connection)
    }

    func testTheTunnelOfAPastedURLIsSaidAndSavedAndTakenAwayWithTheNextURL() throws {
        let tunnel = Tunnel.ssh(SshTunnel(kind: .ssh, destination: "me@bastion", jumps: []))
        var form = ConnectionForm(new: base)
        form.paste(pasted { $0.tunnel = tunnel })
        form.fields.name = "Shop"
        XCTAssertEqual(form.urlNotes, ["It goes through SSH, by me@bastion."])
        XCTAssertEqual(form.command.tunnel, .set(tunnel))
        form.paste(pasted())
        XCTAssertEqual(form.urlNotes, [])
        XCTAssertEqual(form.command.tunnel, .keep)
        var connection = try saved()
        connection.tunnel = tunnel
        var editing = ConnectionForm(editing: connection, base: base)
        XCTAssertFalse(editing.isChanged)
        editing.paste(pasted())
        XCTAssertEqual(editing.command.tunnel, .clear)
    }

    func testAWrongURLLeavesTheFormAndIsToldInTheDaemonsWords() {
        var form = ConnectionForm(new: base)
        form.fields.host = "kept"
        form.paste(.failure(.refused(ControlError(code: -33_007, message: "The URL has a bare # in it.\u{202e}"))))
        XCTAssertEqual(form.fields.host, "kept")
        XCTAssertEqual(form.urlProblem, "The URL has a bare # in it.\\u{202e}")
        form.paste(.failure(.lost))
        XCTAssertEqual(form.urlProblem, ControlClient.Failure.lost.sentence)
        form.paste(pasted())
        XCTAssertNil(form.urlProblem)
        XCTAssertEqual(form.fields.host, "db.example.com")
    }

    func testAURLOfAnotherKindChangesNoSavedConnection() throws {
        var form = ConnectionForm(editing: try saved(), base: base)
        form.paste(pasted { $0.endpoint.engine = .mysql })
        XCTAssertFalse(form.isChanged)
        XCTAssertEqual(form.urlProblem, "A connection can't change its kind of database; add a new connection instead.")
    }

    func testAPastedURLGivesItsTimeZoneAndIsToldOfWhatHasNoEffect() throws {
        var form = ConnectionForm(new: base)
        form.paste(
            pasted {
                $0.timeZone = "Europe/Berlin"
                $0.ignored = ["application_name", "pool", "pool"]
            })
        form.fields.name = "Shop"
        XCTAssertEqual(form.command.timeZone, .set("Europe/Berlin"))
        XCTAssertEqual(form.urlNotes, ["application_name, pool in the URL have no effect here."])
        form.paste(pasted { $0.ignored = ["pool"] })
        XCTAssertEqual(form.fields.timeZone, "Europe/Berlin", "what a URL says nothing of stays")
        XCTAssertEqual(form.urlNotes, ["pool in the URL has no effect here."])
        form.paste(.failure(.lost))
        XCTAssertEqual(form.urlNotes, [])
    }

    func testAPlaceholderInThePasswordsPlaceIsAskedAbout() throws {
        var form = ConnectionForm(new: base)
        form.paste(pasted { $0.passwordIsPlaceholder = true })
        form.fields.name = "Shop"
        XCTAssertEqual(form.fields.passwordKind, .typed)
        XCTAssertEqual(form.urlNotes, ["A placeholder stands in the password's place; type the password."])
        XCTAssertEqual(form.command.password, .stored(value: ""), "the daemon refuses it")
        form.fields.password = "hunter2"
        XCTAssertEqual(form.command.password, .stored(value: "hunter2"))
    }

    func testOnlyWhatChangedIsSent() throws {
        var form = ConnectionForm(editing: try saved(), base: base)
        XCTAssertFalse(form.isChanged)
        form.fields.name = "Größe"
        form.fields.rowLimit = ""
        form.fields.tags = "eu, prod, , eu"
        let command = form.command
        XCTAssertEqual(
            try JSONText.encode(command),
            #"{"connection":"0b6f2f3c-7f52-4d35-9d0c-2f6a1f0d8a11","name":"Größe","rowLimit":null,"tags":["eu","prod"]}"#)
    }

    func testSavingANameDoesNotMakeTimedWriteAccessEndless() throws {
        var form = ConnectionForm(editing: try saved(), base: base)
        form.fields.name = "Other"
        XCTAssertNil(form.command.externalClients)
        form.fields.writeDuration = .halfHour
        XCTAssertEqual(form.command.externalClients, .init(level: .readWrite, forSeconds: .set(1_800)))
        form.fields.writeDuration = .noEnd
        XCTAssertEqual(form.command.externalClients, Command.ConnectionsSave.ExternalClients(level: .readWrite))
        form.fields.externalClients = .blocked
        XCTAssertEqual(form.command.externalClients, Command.ConnectionsSave.ExternalClients(level: .blocked))
    }

    func testWriteAccessIsTimedUnlessSaidOtherwise() throws {
        var view = try saved()
        view.externalClients = ConnectionExternalClients(level: .readOnly, writeUntil: nil, now: .readOnly)
        var form = ConnectionForm(editing: view, base: base)
        form.fields.externalClients = .readWrite
        XCTAssertEqual(form.command.externalClients?.forSeconds, .set(1_800))
    }

    func testTonightIsThePersonsOwnMidnight() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try XCTUnwrap(TimeZone(identifier: "Europe/Berlin"))
        var view = try saved()
        view.externalClients = ConnectionExternalClients(level: .readOnly, writeUntil: nil, now: .readOnly)
        var form = ConnectionForm(editing: view, base: base)
        form.fields.externalClients = .readWrite
        form.fields.writeDuration = .tonight
        for (now, seconds) in [
            ("2026-11-20T22:00:00.000Z", 3_600), ("2026-11-20T22:59:59.500Z", 1), ("2026-11-20T23:00:00.000Z", 86_400),
            // The clocks are set back at night: that day has 25 hours.
            ("2026-10-24T22:00:00.000Z", 90_000),
        ] {
            let change = form.command(at: try XCTUnwrap(Instant.date(now)), in: calendar).externalClients
            XCTAssertEqual(change?.forSeconds, Change(seconds), now)
        }
        XCTAssertEqual(
            ConnectionForm.WriteDuration.allCases.map(\.label), ["For 30 minutes", "Until tonight", "Until I take it back"])
    }

    func testWhatIsShownForWriteAccessIsWhatIsSaved() throws {
        for level in [ExternalClientsLevel.readOnly, .blocked] {
            var view = try saved()
            view.externalClients = ConnectionExternalClients(level: level, writeUntil: nil, now: level)
            var form = ConnectionForm(editing: view, base: base)
            XCTAssertEqual(form.fields.writeDuration, .halfHour)
            XCTAssertFalse(form.isChanged)
            form.fields.name = "Other"
            XCTAssertNil(form.command.externalClients)
            form.fields.externalClients = .readWrite
            form.fields.writeDuration = .noEnd
            XCTAssertEqual(form.command.externalClients, Command.ConnectionsSave.ExternalClients(level: .readWrite))
        }
        XCTAssertNil(ConnectionForm(editing: try saved(), base: base).fields.writeDuration, "as it is")
    }

    func testAClientCertificateComesWithItsKeyAndItsPassphrase() throws {
        var form = ConnectionForm(new: base)
        form.paste(
            pasted {
                $0.endpoint.host = "a,b"
                $0.targetServers = .standby
                $0.tls.clientCertificate = ClientCertificate(
                    certificateFile: "/Users/anna/anna.crt", keyFile: "/Users/anna/anna.key")
            })
        form.fields.name = "Shop"
        form.fields.keyPassphrase = "open sesame"
        var command = form.command
        XCTAssertEqual(
            command.tls?.clientCertificate,
            .set(ClientCertificate(certificateFile: "/Users/anna/anna.crt", keyFile: "/Users/anna/anna.key")))
        XCTAssertEqual(command.tls?.keyPassphrase, "open sesame")
        XCTAssertEqual(command.targetServers, .set(.standby))
        (form.fields.certificateFile, form.fields.keyFile, form.fields.keyPassphrase) = ("", "", "")
        form.fields.engine = .mysql
        command = form.command
        XCTAssertNil(command.tls)
        XCTAssertEqual(command.targetServers, .keep)
    }

    /// The daemon's refusal of a form.
    private func no(_ why: String, at field: String? = nil, code: Int = -32_602) -> ControlClient.Failure {
        .refused(ControlError(code: code, message: "\(why).", data: field.map { .init(field: $0, why: why) }))
    }

    func testWhatTheDaemonRefusesStandsUnderItsFieldUntilSomethingElseIsTyped() throws {
        var form = ConnectionForm(new: base)
        XCTAssertNil(form.refusal, "nobody was asked yet")
        form.refused(no("a host name or an address is expected", at: "endpoint.host"))
        XCTAssertEqual(form.problem("endpoint.host"), "A host name or an address is expected.")
        XCTAssertNil(form.problem("endpoint.port"))
        XCTAssertNil(form.problem(nil))
        form.fields.host = "a"
        XCTAssertNil(form.problem("endpoint.host"))
        form.refused(no("1 to 32 printable characters are expected", at: "tags.1"))
        XCTAssertEqual(form.problem("tags"), "1 to 32 printable characters are expected.")
        form.refused(no("a SQLite connection has a file and nothing else", at: "endpoint"))
        XCTAssertEqual(form.problem(nil), "A SQLite connection has a file and nothing else.", "no field that is shown")
        form.refused(no("There is already a connection \"a: b\"", code: -33_007))
        XCTAssertEqual(form.problem(nil), "There is already a connection \"a: b\".")
        form.refused(.lost)
        XCTAssertEqual(form.problem(nil), ControlClient.Failure.lost.sentence)
        let wanted = ControlError(code: -33_007, message: "", data: .init(confirm: .passphrase))
        form.refused(.refused(wanted))
        XCTAssertNil(form.refusal, "given up, which the person knows")
        let german = Language(locale: Locale(identifier: "de")) { key, _ in
            key == "1 to %lld rows are expected." ? "1 bis %lld Zeilen werden erwartet." : "?"
        }
        let most = ControlError.Details(
            field: "rowLimit", why: "1 to 10000 rows are expected",
            counts: .init(code: "1 to %lld rows are expected", values: [10_000]))
        Language.$current.withValue(german) {
            form.refused(.refused(ControlError(code: -32_602, message: "", data: most)))
        }
        XCTAssertEqual(form.problem("rowLimit"), "1 bis 10.000 Zeilen werden erwartet.")
    }

    func testWhatIsWrongIsSentForTheDaemonToSaySo() throws {
        var form = ConnectionForm(new: base)
        (form.fields.port, form.fields.rowLimit) = ("many", "70 000")
        form.fields.certificateFile = "a.crt"
        XCTAssertEqual(form.command.endpoint?.host, "")
        XCTAssertEqual(form.command.endpoint?.port, 0)
        XCTAssertEqual(form.command.rowLimit, .set(0))
        XCTAssertEqual(
            form.command.tls?.clientCertificate, .set(ClientCertificate(certificateFile: "/Users/anna/a.crt", keyFile: "")))
        form.fields.place = .socket
        form.fields.socketPath = "~otto/x"
        XCTAssertEqual(form.command.endpoint?.socketPath, "~otto/x", "whose home is not ours to know")
    }

    func testATestDialsWhatStandsInTheFields() throws {
        var view = try saved()
        view.password = .stored
        var form = ConnectionForm(editing: view, base: base)
        form.fields.host = "db2.example.com"
        form.fields.rowLimit = ""
        let trial = try XCTUnwrap(form.trial(hostKey: "SHA256:x"))
        XCTAssertEqual(trial.connection, view.id)
        XCTAssertEqual(trial.endpoint?.host, "db2.example.com")
        XCTAssertEqual(trial.rowLimit, .clear)
        XCTAssertEqual(trial.tunnel, .keep)
        XCTAssertEqual(trial.hostKey, "SHA256:x")
        XCTAssertNil(trial.password, "the daemon has it, and asks before it goes elsewhere")
        XCTAssertEqual(ConnectionForm(new: base).trial()?.name, "New connection")
        XCTAssertEqual(ConnectionForm(new: base).command.name, "", "it is not saved so")
    }

    func testATunnelIsShownChangedAndTakenAway() throws {
        var form = ConnectionForm(editing: try saved(), base: base)
        XCTAssertEqual(form.fields.tunnelKind, .ssh)
        XCTAssertEqual(form.fields.sshServer, "anna@bastion.example.com")
        form.fields.sshJumps = "one, me@two:2222"
        form.fields.sshKeyFile = "~/.ssh/id"
        form.fields.sshPassphrase = "open sesame"
        form.fields.sshPassword = "s3cret"
        XCTAssertEqual(
            form.command.tunnel,
            .set(
                .ssh(
                    SshTunnel(
                        kind: .ssh, destination: "anna@bastion.example.com", jumps: ["one", "me@two:2222"],
                        keyFile: "/Users/anna/.ssh/id"))))
        XCTAssertEqual([form.command.sshPassphrase, form.command.sshPassword], ["open sesame", "s3cret"])
        form.fields.tunnelKind = .command
        form.fields.tunnelCommand = "nc {stdio}"
        XCTAssertEqual(form.command.tunnel, .set(.command(CommandTunnel(kind: .command, command: "nc {stdio}"))))
        form.fields.tunnelKind = .none
        XCTAssertEqual(form.command.tunnel, .clear)
        var socket = ConnectionForm(editing: try saved(), base: base)
        socket.fields.place = .socket
        XCTAssertEqual(socket.command.tunnel, .clear, "a socket is on this machine")
    }

    func testAColourOfOnesOwnIsKeptAndShown() throws {
        XCTAssertEqual(ConnectionForm.components(ofColour: "#ff8000").map { $0.map { ($0 * 255).rounded() } }, [255, 128, 0])
        for wrong in ["red", "#ff80", "#gggggg", "ff8000#", "#+12345", "#ff80000", ""] {
            XCTAssertNil(ConnectionForm.components(ofColour: wrong), wrong)
        }
        var view = try saved()
        view.colour = "#FF8000"
        let form = ConnectionForm(editing: view, base: base)
        XCTAssertEqual(form.colours.last, "#FF8000", "a choice that holds")
        XCTAssertEqual(ConnectionForm(editing: try saved(), base: base).colours, ConnectionForm.colours)
    }

    func testASQLiteFileHasAPathAndNothingElse() throws {
        var form = ConnectionForm(new: base)
        form.fields.name = "Shop"
        form.fields.engine = .sqlite
        form.fields.host = "left over"
        form.fields.tlsMode = .require
        XCTAssertEqual(form.command.endpoint?.filePath, "", "the daemon refuses it")
        form.fields.filePath = "~/shop.db"
        let command = form.command
        XCTAssertEqual(command.endpoint, Endpoint(engine: .sqlite, filePath: "/Users/anna/shop.db"))
        XCTAssertNil(command.tls)
    }

    func testAListedConnectionTellsWhatClientsMayDoNow() throws {
        let row = ConnectionRow(try saved(), at: now)
        XCTAssertEqual(row.access, "Read & Write for 60 more minutes, asks each time")
        XCTAssertEqual(row.place, "db.example.com/shop", "at the usual port")
        XCTAssertEqual(row.placeInFull, "PostgreSQL, db.example.com/shop")
        var other = try saved()
        other.port = 6_432
        XCTAssertEqual(ConnectionRow(other, at: now).place, "db.example.com:6432/shop")
        XCTAssertEqual(ConnectionRow(try saved(), at: now.addingTimeInterval(3_600)).access, "Read Only, asks each time")
        var hidden = try saved()
        hidden.aiPolicy = .never
        XCTAssertEqual(ConnectionRow(hidden, at: now).access, "Hidden: AI policy Never")
    }

    // MARK: Tokens, passphrase, settings

    func testATokenIsMintedAsTheFormSays() throws {
        var form = TokenForm()
        form.name = "Editor"
        XCTAssertEqual(
            form.command(connections: []),
            .init(name: "Editor", scope: .readOnly, connections: .all, expires: .value30, confirmInClient: false))
        form.reachesAll = false
        XCTAssertNotNil(form.reachNote)
        form.ticked = [try saved().id, "gone since"]
        XCTAssertEqual(form.command(connections: [try saved()]).connections, .only([try saved().id]))
    }

    func testATokenIsShownOnce() throws {
        let minted = try Fixtures.read(Fixtures.Answered<MintedToken>.self, "control/tokens.mint.result").result
        var sheet = MintedSheet(minted)
        XCTAssertEqual(sheet.plaintext, "sp_bWludGVkLXRva2VuLW1pbnRlZC10b2tlbi1taW50ZWQ")
        sheet.close()
        XCTAssertNil(sheet.plaintext)
    }

    func testTokensAreListedInWords() throws {
        let tokens = try Fixtures.read(Fixtures.Answered<Command.TokensList.Answer>.self, "control/tokens.list.result").result
            .tokens
        let rows = tokens.map { TokenRow($0) { Instant.text($0).prefix(10).description } }
        XCTAssertEqual(
            rows.map(\.detail),
            [
                "Read & Write, Größe 数据. Expires 2026-12-20. Never used.",
                "Read Only, All connections. Not yet collected. Never used.",
                "Read & Write, All connections. Revoked 2026-11-20. Never used.",
            ])
        XCTAssertEqual(rows.map(\.canRevoke), [true, true, false])
    }

    func testABoxIsListedAsItsTokenWithItsSocket() throws {
        let boxes = try Fixtures.read(Fixtures.Answered<BoxList>.self, "control/boxes.list.result").result.boxes
        let rows = boxes.map { TokenRow($0) { Instant.text($0).prefix(10).description } }
        XCTAssertEqual(rows.map(\.name), ["work", "all"])
        XCTAssertEqual(rows[0].detail, "Read Only, Größe 数据. Expires 2026-12-20. Never used.")
        XCTAssertEqual(rows[0].socket, boxes[0].socket)
        XCTAssertEqual(rows[0].notes, [])
        XCTAssertEqual(
            rows[1].notes,
            [
                "Also for the group agents.",
                "It can’t be used now: its folder can't be given to the group agents; name a group that you are in.",
            ])
        XCTAssertEqual(rows.map(\.canRevoke), [true, true])
        var ended = boxes[0]
        ended.state = .revoked
        ended.socket = "/tmp/\u{202e}x"
        XCTAssertFalse(TokenRow(ended) { _ in "" }.canRevoke)
        XCTAssertEqual(TokenRow(ended) { _ in "" }.socket, "/tmp/\\u{202e}x")
    }

    func testAPassphraseIsTypedTwice() {
        var form = PassphraseForm()
        form.first = "short"
        XCTAssertNotNil(form.problem)
        form.first = "correct horse"
        form.again = "correct horsf"
        XCTAssertEqual(form.problem, "The two passphrases differ.")
        form.again = "correct horse"
        XCTAssertEqual(form.command, .init(passphrase: "correct horse"))
        XCTAssertEqual(form.resetCommand, .init(passphrase: "correct horse"))
        form.again = ""
        XCTAssertNil(form.command)
        XCTAssertNil(form.resetCommand)
    }

    func testASettingIsSentOnceAsItWasTypedAndAWrongOneStaysAndSaysSo() throws {
        let settings = try Fixtures.read([SettingView].self, "settings")
        func form(_ key: String) throws -> SettingForm { SettingForm(try XCTUnwrap(settings.first { $0.key == key })) }
        var port = try form("port")
        XCTAssertNil(port.change(), "nothing changed")
        port.typed = "70000"
        XCTAssertEqual(port.change(), .init(key: "port", value: .string("70000")))
        XCTAssertNil(port.change(), "just this was sent")
        port.refused(no("it takes a whole number from 1 to 65535", at: "value"))
        XCTAssertEqual(port.typed, "70000")
        XCTAssertEqual(port.problem, "“Port” takes a whole number from 1 to 65535.")
        XCTAssertNil(port.change(), "nor is it asked again")
        port.typed = "8080"
        XCTAssertNil(port.problem)
        XCTAssertEqual(port.change(), .init(key: "port", value: .string("8080")))
        port.refused(.lost)
        XCTAssertNotNil(port.change(), "nobody has it")
        port.refused(.refused(ControlError(code: 1, message: "", data: .init(confirm: .app))))
        XCTAssertEqual(port.typed, "27432", "given up, it shows what holds")
        XCTAssertNil(port.problem)
        var rows = try form("results.defaultRows")
        rows.typed = "9999"
        rows.refused(no("results.defaultRows can't be more than results.maxRows, which is 500; raise that first"))
        XCTAssertEqual(rows.problem, "results.defaultRows can't be more than results.maxRows, which is 500; raise that first.")
        var enabled = try form("enabled")
        enabled.typed = "false"
        XCTAssertEqual(enabled.change()?.value, .string("false"))
        var later = try XCTUnwrap(settings.first { $0.key == "port" })
        (later.least, later.most, later.kind) = (nil, nil, .number)
        XCTAssertEqual(SettingForm(later).control, .field(unit: nil))
    }

    func testSizesAreTypedInKilobytesWhereTheyAreWholeOnes() throws {
        let settings = try Fixtures.read([SettingView].self, "settings")
        var view = try XCTUnwrap(settings.first { $0.key == "results.maxBytes" })
        var form = SettingForm(view)
        XCTAssertEqual(form.control, .field(unit: "kB"))
        XCTAssertEqual(form.typed, "256")
        form.typed = "512"
        XCTAssertEqual(form.change()?.value, .integer(524_288))
        form.typed = "9000"
        form.refused(no("it takes a whole number of bytes from 1024 to 8388608", at: "value"))
        XCTAssertEqual(form.problem, "“Size of a result at most” takes 1 kB to 8 MB.")
        for wrong in ["1.5", "", "9223372036854775807"] {
            form.typed = wrong
            XCTAssertEqual(form.change()?.value, .string(wrong), "the daemon refuses it")
        }
        view.value = .integer(100_000)
        form = SettingForm(view)
        XCTAssertEqual(form.control, .field(unit: "bytes"))
        XCTAssertEqual(form.typed, "100000")
    }

    // MARK: Activity

    func testActivityRowsComeOnceAndNewestFirst() throws {
        let page = try Fixtures.read(Fixtures.Answered<ActivityPage>.self, "control/activity.query.result").result
        guard
            case .activityAppended(let pushed) = try Fixtures.read(
                ControlNotification.self, "control/activity.appended.notification")
        else { return XCTFail("no rows") }
        var table = ActivityTable()
        let first = table.firstPage()
        XCTAssertEqual(first.command.limit, ActivityTable.pageRows)
        table.appended(pushed)
        XCTAssertEqual(table.rows, [], "nobody follows")
        table.follow(true)
        table.appended(pushed)
        table.take(page, for: first)
        XCTAssertEqual(table.rows.map(\.id), [44, 43, 42, 41])
        XCTAssertEqual(table.nextPage()?.command.before, .set(41))
        XCTAssertEqual(
            table.rows.map(\.result),
            ["Success, 3 rows, 13 ms", "Attempted", "Denied, 17 times", "Outcome Unknown, 30.0 secs"])
        XCTAssertEqual(table.rows.map(\.weight), [.plain, .plain, .refusal, .warning])
        XCTAssertEqual(table.rows[0].resultLine, "Success, 3 rows, 13 ms")
        XCTAssertEqual(table.rows[2].resultLine, "Denied, 17 times: \(table.rows[2].reason ?? "")")
        XCTAssertEqual(table.rows[0].what, "Run a query", "and no identifier")
        XCTAssertEqual(table.rows[3].reason, "Outcome unknown", "and none here")
    }

    func testWhatAProgramChangedIsItsOwnByNameAndTheRestIsInFull() throws {
        let page = try Fixtures.read(Fixtures.Answered<ActivityPage>.self, "control/activity.query.result").result
        var row = try XCTUnwrap(page.rows.first { $0.client != nil })
        (row.tokenName, row.client) = (nil, "sallyport\u{202e} (process 42, started by bash) on /dev/pts/3")
        (row.category, row.action) = (.admin, "settings.set")
        XCTAssertEqual(ActivityTableRow(row).who, "sallyport\\u{202e}")
        XCTAssertEqual(
            ActivityTableRow(row).whoInFull, "sallyport\\u{202e} (process 42, started by bash) on /dev/pts/3")
        (row.category, row.action) = (.access, "increase")
        XCTAssertEqual(ActivityTableRow(row).who, "sallyport\\u{202e}")
        row.action = "pairing.decide"
        XCTAssertEqual(ActivityTableRow(row).who, ActivityTableRow(row).whoInFull, "a client's name for itself")
    }

    func testAFilterAsksAnewOnlyWhereTheDaemonFilters() throws {
        let page = try Fixtures.read(Fixtures.Answered<ActivityPage>.self, "control/activity.query.result").result
        var table = ActivityTable()
        let first = table.firstPage()
        table.take(page, for: first)
        var filter = ActivityTable.Filter()
        filter.outcome = .denied
        filter.search = "LOCKED"
        XCTAssertNil(table.setFilter(filter))
        XCTAssertEqual(table.rows.map(\.id), [42])
        filter.category = .query
        filter.outcome = nil
        filter.search = ""
        let second = try XCTUnwrap(table.setFilter(filter))
        XCTAssertEqual(second.command.category, .set(.query))
        table.take(page, for: first)
        XCTAssertEqual(table.rows, [], "an answer to what nobody asks any more")
    }

    /// Two hundred rows with the given last number. The last rows are denied.
    private func page(downTo last: Int, denied: Int = 0) throws -> ActivityPage {
        var page = try Fixtures.read(Fixtures.Answered<ActivityPage>.self, "control/activity.query.result").result
        let sample = page.rows[0]
        page.rows = (0..<ActivityTable.pageRows).map { index in
            var row = sample
            row.number = last + ActivityTable.pageRows - 1 - index
            if index >= ActivityTable.pageRows - denied { row.outcome = .denied }
            return row
        }
        page.older = last > 1 ? last : nil
        return page
    }

    func testAFilterOfTheTablesOwnIsSearchedForInOlderRows() throws {
        var table = ActivityTable()
        let first = table.firstPage()
        XCTAssertNil(table.take(try page(downTo: 9_801), for: first), "without a filter one page is enough")
        XCTAssertNil(table.pageToSearch())
        var filter = ActivityTable.Filter()
        filter.outcome = .denied
        XCTAssertNil(table.setFilter(filter))
        let second = try XCTUnwrap(table.pageToSearch())
        XCTAssertEqual(second.command.before, .set(9_801))
        let third = try XCTUnwrap(table.take(try page(downTo: 9_601, denied: 3), for: second))
        XCTAssertEqual(third.command.before, .set(9_601))
        XCTAssertNil(table.take(try page(downTo: 9_601, denied: 3), for: second), "asked for twice, it leads on once")
        XCTAssertEqual(table.rows.count, 3)
        XCTAssertNil(table.take(try page(downTo: 9_401, denied: 30), for: third), "a window of them")
        XCTAssertNil(table.pageToSearch())
        filter.search = "nobody has this"
        XCTAssertNil(table.setFilter(filter))
        var wanted = table.pageToSearch()
        while let asked = wanted {
            guard case .set(let before) = asked.command.before else { return XCTFail("the newest again") }
            wanted = table.take(try page(downTo: before - ActivityTable.pageRows), for: asked)
        }
        XCTAssertEqual(table.nextPage()?.command.before, .set(10_001 - ActivityTable.mostRows), "not the whole log")
    }

    func testTheSearchEndsWithTheLog() throws {
        var table = ActivityTable()
        var filter = ActivityTable.Filter()
        filter.search = "nobody has this"
        _ = table.setFilter(filter)
        let first = table.firstPage()
        let second = try XCTUnwrap(table.take(try page(downTo: 201), for: first))
        XCTAssertNil(table.take(try page(downTo: 1), for: second))
        XCTAssertNil(table.pageToSearch())
    }

    func testAnAttemptBecomesSettledInPlace() throws {
        var table = ActivityTable()
        table.follow(true)
        guard
            case .activityAppended(var rows) = try Fixtures.read(ControlNotification.self, "control/activity.appended.notification")
        else { return XCTFail("no rows") }
        rows[0].fate = .running
        table.appended([rows[0]])
        XCTAssertEqual(table.rows.map(\.result), ["Running"])
        rows[0].fate = .unknown
        table.appended([rows[0]])
        XCTAssertEqual(table.rows.map(\.weight), [.warning])
    }

    func testAChosenRowSaysAllOfItAndAsksForItsStatement() throws {
        let page = try Fixtures.read(Fixtures.Answered<ActivityPage>.self, "control/activity.query.result").result
        var table = ActivityTable()
        table.take(page, for: table.firstPage())
        var detail = try XCTUnwrap(table.detail(of: 44))
        XCTAssertEqual(
            detail.facts.map { "\($0.label): \($0.value)" },
            [
                "What: Run a query", "Connection: Größe 数据", "Client: Claude Code\\u{202e}", "Token: Editor",
                "Result: Success, 3 rows, 13 ms", "SHA-256: \(page.rows[0].statementHash ?? "")",
            ])
        XCTAssertEqual(detail.facts.first { $0.label == "Client" }?.standing, .claim)
        XCTAssertEqual(detail.query?.of, .init(hash: page.rows[0].statementHash ?? "", time: page.rows[0].time))
        XCTAssertNil(detail.query?.all, "nobody has confirmed that")
        XCTAssertNil(table.detail(of: 42)?.query, "it ran no statement")
        XCTAssertEqual(table.detail(of: 42)?.facts.last, .fact("Why", "locked out"))
        XCTAssertNil(table.detail(of: 7))

        var history = try Fixtures.read(Fixtures.Answered<HistoryPage>.self, "control/history.query.result").result
        history.statements[0].statement = "select note\u{202e}\nfrom orders"
        detail.take(.success(history))
        XCTAssertEqual(detail.statement.map(\.text), ["select note\\u{202e}", "from orders"])
        XCTAssertNil(detail.remark)
        history.statements[0].isCut = true
        detail.take(.success(history))
        XCTAssertEqual(detail.remark, "It was longer; its beginning is kept.")
        history.statements[0].statement = nil
        detail.take(.success(history))
        XCTAssertEqual(detail.remark, "Its statement is not kept: a password stands in it.")
        XCTAssertEqual(detail.statement, [])
        XCTAssertFalse(detail.mayAskForAll)
        history.statements = []
        detail.take(.success(history))
        XCTAssertEqual(detail.remark, "Its statement is not kept.")
        XCTAssertFalse(detail.mayAskForAll, "there is none anywhere")
        history.leavesOut = true
        detail.take(.success(history))
        XCTAssertTrue(detail.mayAskForAll)
        detail.take(.failure(.lost))
        XCTAssertEqual(detail.remark, ControlClient.Failure.lost.sentence)
    }

    func testTheBridgesTokenIsNobodysAndWhatAProgramSaysOfItselfIsNoClaim() throws {
        var row = try Fixtures.read(Fixtures.Answered<ActivityPage>.self, "control/activity.query.result").result.rows[0]
        (row.principal, row.tokenName) = ("bridge:1", "__stdio_bridge__")
        XCTAssertEqual(ActivityDetail(row).facts[3].value, "None: it asks through the stdio bridge")
        (row.tokenName, row.category) = (nil, .admin)
        row.client = "sallyport (process 42, started by bash) on /dev/pts/3"
        XCTAssertEqual(ActivityDetail(row).facts[2], .fact("Client", "sallyport (process 42, started by bash) on /dev/pts/3"))
    }

    func testTheStatementsThatWereKeptComeNewestFirstAPageAtATime() throws {
        var page = try Fixtures.read(Fixtures.Answered<HistoryPage>.self, "control/history.query.result").result
        var second = page.statements[0]
        (second.id, second.outcome, second.statement) = (6, .rolledBack, nil)
        page.statements.append(second)
        page.older = 6
        var table = HistoryTable()
        var filter = ActivityTable.Filter()
        filter.search = "orders"
        let first = table.firstPage(filter)
        XCTAssertEqual(first.search, .set("orders"))
        XCTAssertEqual(first.since, .keep)
        XCTAssertNil(table.nextPage())
        table.take(page, for: first)
        table.take(page, for: first)
        XCTAssertEqual(table.rows.map(\.what), ["select note from orders", "Not kept"], "each once, on one line")
        XCTAssertEqual(table.rows.map(\.resultLine), ["Success, 3 rows, 13 ms", "3 rows, 13 ms: Rolled back"])
        XCTAssertNil(table.remark)
        XCTAssertEqual(table.detail(of: 7)?.statement.map(\.text), ["select note", "from orders"])
        XCTAssertEqual(table.detail(of: 7)?.facts.map(\.label), ["Connection", "Client", "Token", "Result", "SHA-256"])
        let next = try XCTUnwrap(table.nextPage())
        XCTAssertEqual(next.before, .set(6))
        let other = table.firstPage(ActivityTable.Filter())
        table.take(page, for: next)
        XCTAssertEqual(table.rows, [], "of what nobody asks any more")
        (page.older, page.leavesOut) = (nil, true)
        table.take(page, for: other)
        XCTAssertNil(table.nextPage())
        XCTAssertEqual(table.remark?.hasSuffix("are left out."), true)
        page.kept = false
        let again = table.firstPage(filter)
        table.take(page, for: again)
        XCTAssertEqual(table.remark, "Statements are not kept: the history is switched off.")
        filter.since = Instant.date("2026-11-20T11:00:00.000Z")
        XCTAssertEqual(table.firstPage(filter).since, .set("2026-11-20T11:00:00.000Z"))
    }

    func testAVerificationIsToldInSentences() throws {
        let report = VerificationReport(
            try Fixtures.read(Fixtures.Answered<ActivityVerification>.self, "control/activity.verify.result").result)
        XCTAssertTrue(report.isIntact)
        XCTAssertEqual(report.headline, "The activity log is intact: 44 rows checked.")
        XCTAssertEqual(report.limits.count, 1)
    }
}
