import AppKit
import CryptoKit
import LocalAuthentication
import Security
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// Touch ID instead of the passphrase: when the app asks for it, what it sends, and what only the
/// passphrase confirms.
@MainActor
final class TouchIDTests: XCTestCase {
    private let challenge = "q1Q3o0H8z5m2v7n4b6x9c1l3k5j7h9g2f4d6s8a0p1o"
    private var signature: String { Data("sallyport touch-id 1\n\(challenge)".utf8).base64EncodedString() }

    /// A Mac whose keychain has the key. Tests say what the owner's finger does.
    private func mac(isTouched: Bool) {
        (Keychained.status, Keychained.item) = (0, Data(Data("the enclave's own".utf8).base64EncodedString().utf8) as AnyObject)
        (SecureEnclave.isThere, LAContext.canAuthenticate, SecureEnclave.isTouched) = (true, true, isTouched)
        (SecureEnclave.reasons, SecureEnclave.made, Keychained.added, NSAlert.shown, NSAlert.pressed) = ([], [], [], [], 0)
        UserDefaults.standard.removeObject(forKey: "touchIDWasDeclined")
    }

    override func tearDown() async throws {
        await MainActor.run {
            (Keychained.status, Keychained.item, SecureEnclave.isThere, LAContext.canAuthenticate) = (-25300, nil, false, false)
            (NSAlert.shown, NSAlert.pressed) = ([], 0)
            UserDefaults.standard.removeObject(forKey: "touchIDWasDeclined")
        }
    }

    private func resume() async throws -> Desk {
        let desk = try await Desk()
        desk.refuse("resume", "error.touch-id")
        desk.model.send(.chose(.resume))
        try await until("a window") { NSWindow.shown.last?.shownView is ConfirmationPromptView }
        let stage = Stage(try XCTUnwrap(NSWindow.shown.last?.shownView))
        stage.markBottom = 60
        _ = stage.draw()
        stage.button("Allow")?.press()
        return desk
    }

    func testItIsAskedForAfterAllWasShownAndItsSignatureSent() async throws {
        mac(isTouched: true)
        let desk = try await resume()
        try await until("signed") { desk.asked.contains { $0.params == "{} confirmed app touched \(self.signature)" } }
        XCTAssertEqual(SecureEnclave.reasons, [TouchID.reason])
        XCTAssertEqual(desk.asked.filter { $0.method == "resume" }.count, 2)
        XCTAssertEqual(NSWindow.shown, [])
    }

    func testWhereNobodyTouchesItThePassphraseIsAskedFor() async throws {
        for way in 0..<3 {
            mac(isTouched: way != 0)
            if way == 1 { Keychained.status = -25300 }
            if way == 2 { Keychained.item = Data("bm9uZQ==".utf8) as AnyObject }
            let desk = try await resume()
            try await until("asked for") { NSWindow.shown.last?.shownView is PassphraseView }
            XCTAssertFalse(desk.asked.contains { $0.params.contains("touched") })
            NSWindow.shown.last?.pressCloseButton()
        }
    }

    func testASheetsDecisionIsSignedToo() async throws {
        for isTouched in [true, false] {
            mac(isTouched: isTouched)
            let desk = try await Desk()
            desk.refuse("desk.decide", "error.touch-id")
            try desk.ask("k3m9x2pq")
            let card = try desk.card()
            desk.model.send(.sheet(id: card.id, .endShown(of: card.reading)))
            try await desk.wait()
            desk.model.send(.sheet(id: card.id, .pressed(.yes)))
            if isTouched {
                try await until("signed") {
                    desk.asked.contains { $0.params.hasSuffix(" confirmed app touched \(self.signature)") }
                }
                try await until("taken") { desk.model.state.desk.sheet == nil }
            } else {
                try await until("asked for") { desk.asksForPassphrase }
                XCTAssertFalse(desk.asked.contains { $0.params.contains("touched") })
            }
        }
    }

    func testARequestIsSignedBelowWhatTheDaemonSaysOfIt() async throws {
        mac(isTouched: true)
        let desk = try await Desk()
        desk.refuse("desk.decide", "error.touch-id")
        desk.said.use {
            $0.results["desk.decide"] =
                #"{"ids":["rqst2345"],"answer":"yes","ran":[],"said":[],"problem":null,"address":null,"token":null}"#
        }
        var view = try Fixtures.opened()
        view.expiresAt = "2099-11-20T12:05:00.000Z"
        desk.model.send(.notification(.deskChanged(DeskChange(waiting: 1, asked: view, ended: nil))))
        desk.model.send(.chose(.showDesk))
        let card = try desk.card()
        desk.model.send(.sheet(id: card.id, .endShown(of: card.reading)))
        try await desk.wait()
        desk.model.send(.sheet(id: card.id, .pressed(.yes)))
        try await until("a window") { NSWindow.shown.last?.shownView is ConfirmationPromptView }
        XCTAssertEqual(SecureEnclave.reasons, [], "nothing is signed that nobody has seen")
        let stage = Stage(try XCTUnwrap(NSWindow.shown.last?.shownView))
        stage.markBottom = 60
        _ = stage.draw()
        stage.button("Allow")?.press()
        try await until("signed") { desk.asked.contains { $0.params.hasSuffix(" confirmed app touched \(self.signature)") } }
        try await until("taken") { desk.model.state.desk.sheet == nil }
    }

    func testAWrongPassphraseAsksForNoFinger() async throws {
        mac(isTouched: false)
        let desk = try await Desk()
        desk.refuse("desk.decide", "error.touch-id")
        desk.said.use { $0.never = ["desk.decide"] }
        try desk.ask("k3m9x2pq")
        let card = try desk.card()
        desk.model.send(.sheet(id: card.id, .endShown(of: card.reading)))
        try await desk.wait()
        desk.model.send(.sheet(id: card.id, .pressed(.yes)))
        try await until("asked for") { desk.asksForPassphrase }
        (SecureEnclave.isTouched, SecureEnclave.reasons) = (true, [])
        desk.model.send(.sheet(id: card.id, .typedPassphrase("correct horse")))
        try await until("refused") { desk.asked.contains { $0.params.contains("with correct horse") } && desk.asksForPassphrase }
        XCTAssertEqual(SecureEnclave.reasons, [])
        XCTAssertFalse(desk.asked.contains { $0.params.contains("touched") })
    }

    private func typed(_ change: (inout DaemonStatus) -> Void = { _ in }) async throws -> Desk {
        let desk = try await Desk()
        var status = try XCTUnwrap(desk.model.state.status)
        status.secrets = .keychain
        change(&status)
        desk.model.send(.status(status))
        desk.refuse("pause", "error.confirm")
        desk.model.send(.chose(.pause))
        try await until("asked for") { NSWindow.shown.last?.shownView is PassphraseView }
        let stage = Stage(try XCTUnwrap(NSWindow.shown.last?.shownView))
        stage.markBottom = 60
        _ = stage.draw()
        stage.field("Owner Passphrase")?.type("correct horse")
        stage.button("Confirm")?.press()
        try await until("done") { desk.asked.contains { $0.params.contains("with correct horse") } }
        return desk
    }

    func testItIsOfferedBehindAPassphraseThatConfirmed() async throws {
        mac(isTouched: true)
        let desk = try await typed()
        let taken = try await desk.asked("passphrase.touchId")
        XCTAssertEqual(taken, #"{"publicKey":"\#(Data("its public half".utf8).base64EncodedString())"} with correct horse"#)
        XCTAssertEqual(NSAlert.shown.map(\.first), [TouchID.offer])
        XCTAssertEqual(SecureEnclave.made.map(\.flags), [[.privateKeyUsage, .userPresence]], "nobody can sign unseen")
        XCTAssertEqual(Keychained.added.last?["kSecAttrAccount"] as? String, "touch-id")
        let kept = Data("the enclave's own".utf8).base64EncodedString()
        XCTAssertEqual(Keychained.added.last?["kSecValueData"] as? Data, Data(kept.utf8))
        XCTAssertNil(Keychained.added.last?["kSecAttrAccess"], "for this app alone")
    }

    func testItIsOfferedBehindASheetsPassphraseTooAndSaidToHold() async throws {
        mac(isTouched: false)
        let desk = try await Desk()
        var status = try XCTUnwrap(desk.model.state.status)
        status.secrets = .keychain
        desk.model.send(.status(status))
        desk.refuse("desk.decide", "error.confirm")
        try desk.ask("k3m9x2pq")
        let card = try desk.card()
        desk.model.send(.sheet(id: card.id, .endShown(of: card.reading)))
        try await desk.wait()
        desk.model.send(.sheet(id: card.id, .pressed(.yes)))
        try await until("asked for") { desk.asksForPassphrase }
        desk.model.send(.sheet(id: card.id, .typedPassphrase("correct horse")))
        _ = try await desk.asked("passphrase.touchId")
        desk.forget()
        _ = try await desk.asked("status")
    }

    func testItIsNotOfferedWhereItCanNotBeOrWasDeclined() async throws {
        for way in 0..<6 {
            mac(isTouched: true)
            if way == 0 { SecureEnclave.isThere = false }
            if way == 1 { LAContext.canAuthenticate = false }
            let desk = try await typed {
                if way == 2 { $0.secrets = .file }
                if way == 3 { $0.passphrase.touchId = true }
                if way == 4 { $0.passphrase.state = .off }
                if way == 5 { NSAlert.pressed = 1 }
            }
            let isLeft = try await desk.wasSilent("passphrase.touchId")
            XCTAssertTrue(isLeft, "\(way)")
            XCTAssertEqual(NSAlert.shown.count, way == 5 ? 1 : 0, "\(way)")
            XCTAssertEqual(SecureEnclave.made, [])
        }
        (NSAlert.shown, NSAlert.pressed) = ([], 0)
        _ = try await typed()
        try await Task.sleep(for: .milliseconds(150))
        XCTAssertEqual(NSAlert.shown, [], "asked once")
    }
}
