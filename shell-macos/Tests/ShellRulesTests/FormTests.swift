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
        for (state, canRevoke) in [(TokenState.valid, true), (.uncollected, true), (.expired, false), (.revoked, false)] {
            var token = tokens[0]
            token.state = state
            XCTAssertEqual(TokenRow(token) { "\($0)" }.canRevoke, canRevoke, "\(state)")
        }
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
}
