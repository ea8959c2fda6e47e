import XCTest

@testable import ShellRules

/// A saved connection that is led to another place: the TLS mode that the form shows is the one
/// that is saved.
final class ConnectionPlaceTests: XCTestCase {
    private let base = PathBase(folder: "/Users/anna", home: "/Users/anna")

    private func editing(_ change: (inout ConnectionView) -> Void = { _ in }) throws -> ConnectionForm {
        var view = try Fixtures.read(Fixtures.Answered<ConnectionView>.self, "control/connections.show.result").result
        change(&view)
        return ConnectionForm(editing: view, base: base)
    }

    private func editing(host: String?, _ mode: TlsMode) throws -> ConnectionForm {
        try editing { view in
            view.host = host
            if host == nil { view.socketPath = "/run/db.sock" }
            view.tls = ConnectionTls(mode: mode, caFile: nil)
        }
    }

    func testAChosenModeAndItsCAFileFollowToAnotherHost() throws {
        var form = try editing()
        form.fields.host = "db2.example.com"
        XCTAssertEqual(form.fields.tlsMode, .verifyCa)
        XCTAssertEqual(form.command?.tls, Command.ConnectionsSave.Tls(mode: .verifyCa, caFile: .set("/etc/ssl/shop-ca.pem")))
        form.fields.host = "db.example.com"
        form.fields.port = "5433"
        XCTAssertEqual(form.command?.endpoint?.port, 5_433)
        XCTAssertNil(form.command?.tls, "of one host the daemon keeps it")
        var socket = try editing()
        socket.fields.place = .socket
        socket.fields.socketPath = "/run/db.sock"
        XCTAssertEqual(socket.command?.tls?.mode, .verifyCa)
    }

    func testAModeThatNobodyChoseDoesNotFollow() throws {
        let defaults: [(String?, TlsMode)] = [
            ("localhost", .prefer), ("127.0.0.2", .prefer), ("::1,[0:0:0:0:0:0:0:1]:5433", .prefer), (nil, .disable),
            ("db.example.com", .verifyFull), ("127.evil.example", .verifyFull), ("localhost,db.example.com", .verifyFull),
        ]
        for (host, mode) in defaults {
            var form = try editing(host: host, mode)
            form.fields.place = .host
            form.fields.host = "other.example.com"
            XCTAssertNil(form.fields.tlsMode, "from \(host ?? "a socket")")
            XCTAssertNil(try XCTUnwrap(form.command).tls)
            form.fields.tlsMode = mode
            form.fields.host = "another.example.com"
            XCTAssertEqual(form.command?.tls?.mode, mode, "chosen there")
        }
        for (host, mode) in defaults {
            var form = try editing(host: host, mode == .disable ? .prefer : .require)
            form.fields.place = .host
            form.fields.host = "other.example.com"
            XCTAssertEqual(form.command?.tls?.mode, mode == .disable ? .prefer : .require, "chosen for \(host ?? "a socket")")
        }
        var checked = try editing {
            $0.tls = ConnectionTls(mode: .verifyFull, caFile: "/ca.pem")
        }
        checked.fields.host = "localhost"
        XCTAssertEqual(
            checked.command?.tls, .init(mode: .verifyFull, caFile: .set("/ca.pem")), "for the sake of its CA file")
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
        XCTAssertNil(try XCTUnwrap(form.command).tls?.mode)
        form.paste(pasted("db.example.com", .verifyFull))
        XCTAssertEqual(form.command?.tls?.mode, .verifyFull)
        form.paste(pasted("other.example.com", nil))
        XCTAssertNil(form.fields.tlsMode)
        form.paste(pasted("third.example.com", .require))
        XCTAssertEqual(form.command?.tls?.mode, .require)
    }
}
