import XCTest

@testable import ShellRules

/// If a saved connection gets another place, the TLS mode that the form shows is saved.
final class ConnectionPlaceTests: XCTestCase {
    private let base = PathBase(folder: "/Users/anna", home: "/Users/anna")

    private func editing(_ change: (inout ConnectionView) -> Void = { _ in }) throws -> ConnectionForm {
        var view = try Fixtures.read(Fixtures.Answered<ConnectionView>.self, "control/connections.show.result").result
        change(&view)
        return ConnectionForm(editing: view, base: base)
    }

    private func editing(host: String?, _ mode: TlsMode) throws -> ConnectionForm {
        try editing { view in
            (view.host, view.tunnel) = (host, nil)
            if host == nil { view.socketPath = "/run/db.sock" }
            view.tls = ConnectionTls(mode: mode, caFile: nil)
        }
    }

    func testACAFileFollowsToAnotherHostAndTheModeOfOnePlaceDoesNot() throws {
        var form = try editing()
        form.fields.host = "db2.example.com"
        XCTAssertNil(form.fields.tlsMode)
        XCTAssertEqual(form.command.tls, Command.ConnectionsSave.Tls(caFile: .set("/etc/ssl/shop-ca.pem")))
        form.fields.host = "db.example.com"
        form.fields.port = "5433"
        XCTAssertEqual(form.fields.tlsMode, .verifyCa)
        XCTAssertEqual(form.command.endpoint?.port, 5_433)
        XCTAssertNil(form.command.tls, "of one host the daemon keeps it")
        form.fields.tlsMode = .require
        form.fields.host = "db2.example.com"
        XCTAssertEqual(form.command.tls?.mode, .require, "chosen before the host was typed")
        for elsewhere in [
            {
                $0.place = .socket
                $0.socketPath = "/run/db.sock"
            }, { $0.tunnelKind = .none }, { $0.sshServer = "other" },
        ] as [(inout ConnectionForm.Fields) -> Void] {
            var other = try editing()
            elsewhere(&other.fields)
            XCTAssertNil(other.fields.tlsMode)
        }
    }

    func testAModeThatNobodyChoseThereDoesNotFollow() throws {
        for host in ["localhost", nil, "db.example.com"] {
            var form = try editing(host: host, .require)
            form.fields.place = .host
            form.fields.host = "other.example.com"
            XCTAssertNil(form.fields.tlsMode, "from \(host ?? "a socket")")
            XCTAssertNil(form.command.tls?.mode)
            form.fields.tlsMode = .require
            form.fields.host = "another.example.com"
            XCTAssertEqual(form.command.tls?.mode, .require, "chosen there")
        }
    }

    func testOnlyAPlaceWithNothingSavedIsAutomatic() throws {
        XCTAssertTrue(ConnectionForm(new: base).mayBeAutomaticTLS)
        var form = try editing(host: "localhost", .prefer)
        XCTAssertFalse(form.mayBeAutomaticTLS)
        form.fields.tlsMode = nil
        XCTAssertEqual(form.fields.tlsMode, .prefer, "it would change nothing")
        XCTAssertFalse(form.isChanged)
        form.fields.host = "db.example.com"
        XCTAssertTrue(form.mayBeAutomaticTLS)
        form.fields.host = "localhost"
        XCTAssertFalse(form.isChanged, "back at the saved place")
    }

    func testAPastedURLWithoutAModeKeepsThatOfItsPlace() throws {
        var form = try editing(host: "db.example.com", .require)
        let pasted = { (host: String, mode: TlsMode?) -> Result<ConnectionUrlView, ControlClient.Failure> in
            .success(
                ConnectionUrlView(
                    endpoint: Endpoint(engine: .postgres, host: host, database: "shop", user: "otto"),
                    tls: .init(mode: mode, caFile: nil), password: nil, ignored: []))
        }
        form.paste(pasted("db.example.com", nil))
        XCTAssertEqual(form.fields.tlsMode, .require)
        XCTAssertNil(form.command.tls?.mode)
        form.paste(pasted("db.example.com", .verifyFull))
        XCTAssertEqual(form.command.tls?.mode, .verifyFull)
        form.paste(pasted("other.example.com", nil))
        XCTAssertNil(form.fields.tlsMode)
        form.paste(pasted("third.example.com", .require))
        XCTAssertEqual(form.command.tls?.mode, .require)
    }
}
