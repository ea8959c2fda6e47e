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
        UserDefaults.standard.removeObject(forKey: "touchIDWasDeclinedAt")
    }

    override func tearDown() async throws {
        await MainActor.run {
            (Keychained.status, Keychained.item, SecureEnclave.isThere, LAContext.canAuthenticate) = (-25300, nil, false, false)
            (NSAlert.shown, NSAlert.pressed) = ([], 0)
            UserDefaults.standard.removeObject(forKey: "touchIDWasDeclinedAt")
        }
    }

    /// The daemon's sentence.
    private func sentence() throws -> String {
        try XCTUnwrap(Recorded("touch-id/resume").error().data?.sentence)
    }

    private func resume() async throws -> Desk {
        let desk = try await Desk()
        try desk.isIn("touch-id/status")
        try desk.refuse("touch-id/resume")
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
        XCTAssertEqual(SecureEnclave.reasons, ["allow what its window shows: \(try sentence())"])
        XCTAssertEqual(desk.asked.filter { $0.method == "resume" }.count, 2)
        try await until("closed") { NSWindow.shown.isEmpty }
    }

    func testWhereNobodyTouchesItThePassphraseIsAskedFor() async throws {
        for way in 0..<3 {
            mac(isTouched: way != 0)
            if way == 1 { Keychained.status = -25300 }
            if way == 2 { Keychained.item = Data("bm9uZQ==".utf8) as AnyObject }
            let desk = try await resume()
            try await until("asked for") { NSWindow.shown.last?.shownView is PassphraseView }
            XCTAssertFalse(desk.asked.contains { $0.params.contains("touched") })
            try await typePassphrase(desk)
            let isLeft = try await desk.wasSilent("passphrase.touchId")
            XCTAssertTrue(isLeft, "it is set up")
        }
    }

    private func typePassphrase(_ desk: Desk) async throws {
        try await until("asked for") { NSWindow.shown.last?.shownView is PassphraseView }
        let stage = Stage(try XCTUnwrap(NSWindow.shown.last?.shownView))
        stage.markBottom = 60
        _ = stage.draw()
        stage.field("Owner Passphrase")?.type("correct horse")
        stage.button("Confirm")?.press()
        try await until("done") { desk.asked.contains { $0.params.contains("with correct horse") } }
    }

    func testASheetsDecisionIsSignedToo() async throws {
        for isTouched in [true, false] {
            mac(isTouched: isTouched)
            let desk = try await Desk()
            try desk.refuse("touch-id/statement")
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

    func testARequestIsSignedAsItsCardWasRead() async throws {
        mac(isTouched: true)
        let desk = try await Desk()
        try desk.refuse("touch-id/request")
        try desk.answer("click/allowed")
        var view = try Fixtures.opened()
        view.expiresAt = "2099-11-20T12:05:00.000Z"
        desk.model.send(.notification(.deskChanged(DeskChange(waiting: 1, asked: view, ended: nil))))
        desk.model.send(.chose(.showDesk))
        let card = try desk.card()
        try await desk.wait()
        desk.model.send(.sheet(id: card.id, .pressed(.yes)))
        XCTAssertEqual(SecureEnclave.reasons, [], "nothing is signed that nobody has seen")
        desk.model.send(.sheet(id: card.id, .endShown(of: card.reading)))
        desk.model.send(.sheet(id: card.id, .pressed(.yes)))
        try await until("signed") { desk.asked.contains { $0.params.hasSuffix(" confirmed app touched \(self.signature)") } }
        XCTAssertEqual(SecureEnclave.reasons.count, 1)
        try await until("taken") { desk.model.state.desk.sheet == nil }
    }

    func testAWrongPassphraseAsksForNoFinger() async throws {
        mac(isTouched: false)
        let desk = try await Desk()
        try desk.refuse("touch-id/statement", typed: "touch-id/statement-wrong")
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

    private func typed(
        _ status: String = "passphrase/status", _ refusal: String = "passphrase/resume"
    ) async throws -> Desk {
        let desk = try await Desk()
        try desk.isIn(status)
        try desk.refuse(refusal)
        desk.model.send(.chose(.resume))
        try await typePassphrase(desk)
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
        try desk.isIn("passphrase/status")
        try desk.refuse("passphrase/statement")
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
        for way in 0..<4 {
            mac(isTouched: true)
            if way == 0 { SecureEnclave.isThere = false }
            if way == 1 { LAContext.canAuthenticate = false }
            if way == 3 { NSAlert.pressed = 1 }
            let isInFile = way == 2
            let desk = try await isInFile ? typed("file-passphrase/status", "file-passphrase/resume") : typed()
            let isLeft = try await desk.wasSilent("passphrase.touchId")
            XCTAssertTrue(isLeft, "\(way)")
            XCTAssertEqual(NSAlert.shown.count, way == 3 ? 1 : 0, "\(way)")
            XCTAssertEqual(SecureEnclave.made, [])
        }
        (NSAlert.shown, NSAlert.pressed) = ([], 0)
        _ = try await typed()
        try await Task.sleep(for: .milliseconds(150))
        XCTAssertEqual(NSAlert.shown, [], "Not Now lasts")
        UserDefaults.standard.set(Date(timeIntervalSinceNow: -7 * 24 * 3600 - 1), forKey: "touchIDWasDeclinedAt")
        _ = try await typed()
        try await until("a week later") { NSAlert.shown.map(\.first) == [TouchID.offer] }
    }

    func testNotNowLastsAWeek() async {
        let now = Date(timeIntervalSince1970: 10_000_000)
        let days: [(Double, Bool)] = [(0, false), (6.9, false), (7, true), (-1, true)]
        XCTAssertTrue(TouchID.mayBeOffered(declined: nil, now: now))
        for (day, isOffered) in days {
            XCTAssertEqual(TouchID.mayBeOffered(declined: now.addingTimeInterval(-day * 86_400), now: now), isOffered, "\(day)")
        }
    }

    /// The daemon takes a key with the passphrase that was just chosen, and with no former one.
    func testItIsOfferedBehindAPassphraseThatWasJustChosenOrChanged() async throws {
        for isChanged in [false, true] {
            mac(isTouched: true)
            let desk = try await Desk()
            // Once the first one was chosen, the daemon says so.
            try desk.isIn("passphrase/status")
            if isChanged { try desk.refuse("passphrase/passphrase.set") }
            let stage = Stage(NewPassphraseView(model: desk.model, isReset: false))
            stage.field("New passphrase")?.type("battery staple")
            stage.field("Verify")?.type("battery staple")
            stage.button("Set Passphrase")?.press()
            if isChanged { try await typePassphrase(desk) }
            let taken = try await desk.asked("passphrase.touchId")
            XCTAssertTrue(taken.hasSuffix(" with battery staple"), taken)
        }
    }

    func testSettingsSaysItsStateAndTurnsItOnAndOff() async throws {
        mac(isTouched: true)
        let desk = try await Desk()
        let stage = Stage(AdvancedPane(model: desk.model))
        XCTAssertNil(stage.toggle("Touch ID"), "the daemon could not tell this app from another program")
        try desk.isIn("passphrase/status")
        XCTAssertEqual(stage.toggle("Touch ID")?.isOn?.wrappedValue, false)
        XCTAssertTrue(stage.toggle("Touch ID")?.title.hasSuffix("Off. The passphrase confirms.") == true)
        try desk.refuse("passphrase/passphrase.touchId")
        stage.toggle("Touch ID")?.turn(true)
        try await until("asked for") { NSWindow.shown.last?.shownView is PassphraseView }
        try desk.answer("touch-id/status")
        try await typePassphrase(desk)
        let key = Data("its public half".utf8).base64EncodedString()
        try await until("on") { desk.asked.contains { $0.params == #"{"publicKey":"\#(key)"} with correct horse"# } }
        try desk.isIn("touch-id/status")
        XCTAssertEqual(stage.toggle("Touch ID")?.isOn?.wrappedValue, true)
        desk.said.use { $0.refusals["passphrase.touchId"] = nil }
        stage.toggle("Touch ID")?.turn(false)
        try await until("off") { desk.asked.contains { $0.params == #"{"publicKey":null}"# } }
        SecureEnclave.isThere = false
        try desk.isIn("passphrase/status")
        XCTAssertEqual(stage.toggle("Touch ID")?.isEnabled, false, "not on this Mac")
        XCTAssertEqual(NSAlert.shown, [], "asked for it, it isn't offered")
    }

    func testWhereTheMacMakesNoKeyItIsSaid() async throws {
        mac(isTouched: true)
        Keychained.status = -25293
        defer { Keychained.status = 0 }
        let desk = try await Desk()
        await desk.model.useTouchID(true)
        XCTAssertTrue(NSWindow.shown.contains { $0.title == "Sallyport" })
        XCTAssertFalse(desk.asked.contains { $0.method == "passphrase.touchId" })
    }
}
