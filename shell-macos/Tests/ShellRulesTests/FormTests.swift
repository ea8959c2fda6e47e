import Foundation
import XCTest

@testable import ShellRules

final class FormTests: XCTestCase {
    private let now = moment("2026-11-20T12:00:00.000Z").wall

    private func saved() throws -> ConnectionView {
        try Fixtures.read(Fixtures.Answered<ConnectionView>.self, "control/connections.show.result").result
    }

    // MARK: Connections

    private func new() throws -> ConnectionForm { ConnectionForm(nil, try Fixtures.form()) }
    private func editing() throws -> ConnectionForm { ConnectionForm("c1", try Fixtures.form("-saved")) }
    private func keys(_ form: ConnectionForm, _ pane: FormSection.Pane = .general) -> [String] {
        form.sections(of: pane).flatMap(\.fields).map(\.key)
    }

    func testAFormIsOpenedForANewOrASavedConnection() throws {
        XCTAssertNil(ConnectionForm.opening().connection)
        XCTAssertEqual(ConnectionForm.opening("c1").connection, "c1")
        XCTAssertTrue(ConnectionForm.opening().home.hasPrefix("/"))
        XCTAssertNil(ConnectionForm.opening().typed)
        XCTAssertTrue(try new().isChanged, "a new one may be saved as it is")
        XCTAssertFalse(try editing().isChanged)
        XCTAssertEqual(try editing()["name"], "Größe 数据")
        XCTAssertEqual(try editing()["no such field"], "")
    }

    func testOnlyWhatChangedIsSent() throws {
        var form = try editing()
        form["name"] = "Größe"
        form["rowLimit"] = ""
        form["group"] = try editing()["group"]
        XCTAssertTrue(form.isChanged)
        XCTAssertEqual(form.saving.typed, ["name": "Größe", "rowLimit": ""])
        XCTAssertEqual(form.saving.connection, "c1")
        XCTAssertEqual(form.trying, form.saving, "it has a name")
        form["name"] = "Größe 数据"
        form["rowLimit"] = "500"
        XCTAssertFalse(form.isChanged, "as before")
        form["sshPassphrase"] = ""
        XCTAssertFalse(form.isChanged, "it was empty")
        var other = try new()
        XCTAssertEqual(other.saving.typed, [:])
        XCTAssertEqual(other.trying.typed, ["name": "New connection"], "a test gives it a name; it is not saved so")
        other["name"] = "Shop"
        XCTAssertEqual(other.trying, other.saving)
        form["name"] = ""
        XCTAssertEqual(form.trying.typed?["name"], "", "a saved one isn't tested under another name")
        XCTAssertEqual(form.saving.digest, try Fixtures.form("-saved").digest, "of what it showed")
    }

    func testAFieldIsShownWhileItIsOfUse() throws {
        var form = try new()
        XCTAssertTrue(keys(form).contains("endpoint.host"))
        XCTAssertFalse(keys(form).contains("endpoint.filePath") || keys(form).contains("password.value"))
        form["place"] = "socket"
        XCTAssertTrue(keys(form).contains("endpoint.socketPath"))
        XCTAssertFalse(keys(form).contains("endpoint.host") || keys(form, .advanced).contains("tunnel"), "it is on this machine")
        form["engine"] = "sqlite"
        XCTAssertEqual(keys(form), ["name", "engine", "endpoint.filePath"], "and no empty section")
        XCTAssertEqual(form.sections(of: .general).map(\.title), [nil, "File"])
        XCTAssertEqual(form.sections(of: .advanced).map(\.title), [nil, "Limits", "Organization"])
        form["engine"] = "mysql"
        XCTAssertFalse(keys(form, .advanced).contains("targetServers"))
    }

    func testAnotherPlaceHasAModeOfItsOwn() throws {
        let shown = { (form: ConnectionForm) in
            let field = form.sections(of: .general).flatMap(\.fields).first { $0.key == "tls" }
            return [form[shown: "tls"], field?.choices.first?.title]
        }
        let (saved, another) = (["verify-ca", "Off"], ["", "Automatic"])
        XCTAssertEqual(shown(try new()), another)
        for (key, value) in [("endpoint.host", "localhost"), ("place", "socket"), ("tunnel", "none"), ("tunnel.destination", "b")] {
            var form = try editing()
            XCTAssertEqual(shown(form), saved)
            let former = form[key]
            form[key] = value
            XCTAssertEqual(shown(form), another, key)
            form[key] = former
            XCTAssertEqual(shown(form), saved, "back at the saved place")
        }
        var form = try editing()
        form["endpoint.port"] = "5433"
        form["endpoint.socketPath"] = "/typed/and/hidden"
        XCTAssertEqual(shown(form), saved)
    }

    func testAChosenModeCountsWhereverTheConnectionGoes() throws {
        var form = try editing()
        form[shown: "tls"] = "verify-full"
        form["endpoint.host"] = "localhost"
        XCTAssertEqual(form[shown: "tls"], "verify-full")
        XCTAssertEqual(form.saving.typed, ["endpoint.host": "localhost", "tls": "verify-full"])
        form[shown: "tls"] = "verify-ca"
        XCTAssertEqual(form.saving.typed?["tls"], "verify-ca", "chosen, though it is the saved place's")
        form["endpoint.host"] = try editing()["endpoint.host"]
        XCTAssertEqual(form[shown: "tls"], "verify-ca")
        XCTAssertFalse(form.isChanged, "as it is saved")
        form["endpoint.host"] = "localhost"
        form[shown: "tls"] = ""
        XCTAssertNil(form.saving.typed?["tls"], "Automatic")
        form.refused(no("this mode shows none", at: "tls.clientCertificate"))
        form["endpoint.host"] = try editing()["endpoint.host"]
        form.refused(no("this mode shows none", at: "tls.clientCertificate"))
        XCTAssertEqual(form.refusedField?.key, "tls")
        XCTAssertEqual(form.refusedPane, .general)
    }

    func testAPastedURLFillsTheFormAndWhatItSaysNothingOfStays() throws {
        var form = try new()
        XCTAssertEqual(form.reading(url: "x").url, "x")
        XCTAssertEqual(try editing().reading(url: "x").connection, "c1")
        form["name"] = "Shop"
        form["group"] = "Work"
        form.paste(.success(try Fixtures.form("-pasted")))
        XCTAssertEqual(form["name"], "Shop")
        XCTAssertEqual(form["endpoint.host"], "db1.example.com,db2.example.com:5433")
        XCTAssertEqual(form.urlNotes, ["application_name in the URL has no effect here."])
        XCTAssertEqual(form.saving.typed?["targetServers"], "standby")
        XCTAssertEqual(form.saving.typed?["password.value"], "s3cret")
        XCTAssertNil(form.saving.typed?["engine"], "as it was")
        form.paste(.failure(.refused(ControlError(code: -33_007, message: "The URL has a bare # in it.\u{202e}"))))
        XCTAssertEqual(form.urlProblem, "The URL has a bare # in it.\\u{202e}")
        XCTAssertEqual(form.urlNotes, [])
        XCTAssertEqual(form["group"], "Work")
        form.paste(.failure(.lost))
        XCTAssertEqual(form.urlProblem, ControlClient.Failure.lost.sentence)
        form.paste(.success(try Fixtures.form("-pasted")))
        XCTAssertNil(form.urlProblem)
    }

    func testADraftIsTheRequestThatTheDaemonMade() throws {
        let save = try XCTUnwrap(Fixtures.form("-draft").draft)
        XCTAssertEqual(save.rowLimit, .clear)
        XCTAssertEqual(save.group, .keep)
        XCTAssertEqual(save.endpoint?.host, "db2.example.com")
        XCTAssertEqual(try JSONText.encode(save.trial(hostKey: nil)), try JSONText.encode(save))
        XCTAssertEqual(try save.trial(hostKey: "SHA256:x").hostKey, "SHA256:x")
        XCTAssertNil(try Fixtures.form().draft, "nothing was typed")
    }

    /// The daemon's refusal of a form.
    private func no(_ why: String, at field: String? = nil, code: Int = -32_602) -> ControlClient.Failure {
        .refused(ControlError(code: code, message: "\(why).", data: field.map { .init(field: $0, why: why) }))
    }

    func testWhatTheDaemonRefusesStandsUnderItsFieldUntilSomethingElseIsTyped() throws {
        var form = try new()
        XCTAssertNil(form.refusal, "nobody was asked yet")
        let problem = { (key: String) in form.problem(form.sections.flatMap(\.fields).first { $0.key == key }) }
        form.refused(no("a host name or an address is expected", at: "endpoint.host"))
        XCTAssertEqual(problem("endpoint.host"), "A host name or an address is expected.")
        XCTAssertEqual(form.refusedPane, .general)
        XCTAssertNil(problem("endpoint.port"))
        XCTAssertNil(form.problem(nil))
        form["endpoint.host"] = ""
        XCTAssertNotNil(problem("endpoint.host"), "it is the same text")
        form["endpoint.host"] = "a"
        XCTAssertNil(problem("endpoint.host"))
        form.refused(no("1 to 32 printable characters are expected", at: "tags.1"))
        XCTAssertEqual(problem("tags"), "1 to 32 printable characters are expected.")
        XCTAssertEqual(form.refusedPane, .advanced)
        form.refused(no("this mode shows none", at: "tls.clientCertificate"))
        XCTAssertEqual(problem("tls"), "This mode shows none.")
        form.refused(no("it is hidden", at: "endpoint.socketPath"))
        XCTAssertEqual(form.problem(nil), "It is hidden.")
        form.refused(no("a SQLite connection has a file and nothing else", at: "endpoint"))
        XCTAssertEqual(form.problem(nil), "A SQLite connection has a file and nothing else.", "no field that is shown")
        XCTAssertNil(form.refusedPane)
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
        XCTAssertEqual(problem("rowLimit"), "1 bis 10.000 Zeilen werden erwartet.")
    }

    func testWriteAccessUntilTonightEndsAtThePersonsOwnMidnight() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try XCTUnwrap(TimeZone(identifier: "Europe/Berlin"))
        for (now, seconds) in [
            ("2026-11-20T22:00:00.000Z", 3_600), ("2026-11-20T22:59:59.500Z", 1), ("2026-11-20T23:00:00.000Z", 86_400),
            // The clocks are set back at night: that day has 25 hours.
            ("2026-10-24T22:00:00.000Z", 90_000),
        ] {
            XCTAssertEqual(WriteDuration.tonight.seconds(from: try XCTUnwrap(Instant.date(now)), in: calendar), seconds, now)
        }
        XCTAssertEqual(WriteDuration.allCases.map(\.label), ["For 30 minutes", "Until tonight", "Until I take it back"])
    }

    func testAColourOfOnesOwnIsShown() throws {
        XCTAssertEqual(ConnectionColour.components("#ff8000").map { $0.map { ($0 * 255).rounded() } }, [255, 128, 0])
        for wrong in ["red", "#ff80", "#gggggg", "ff8000#", "#+12345", "#ff80000", ""] {
            XCTAssertNil(ConnectionColour.components(wrong), wrong)
        }
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
