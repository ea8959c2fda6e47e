import Foundation
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// The app cannot prove itself, and takes access away all the same.
@MainActor
final class UnprovedTests: XCTestCase {
    private let folder = TestFolder()
    private let heard = Locked<[String]>([])

    private func unproved() -> (ShellModel, TestPeer) {
        let heard = heard
        let peer = TestPeer(at: "\(folder.path)/control.sock") { talk in
            struct Asked: Decodable { let method: String }
            while let line = talk.hear() {
                heard.use { $0.append(line) }
                guard let method = (try? JSONText.decode(Asked.self, from: line))?.method else { return }
                // The editor's form is opened and drafted with the same answer.
                let recorded = method == "connections.form" ? try? Recorded("click/form-blocked").line(id: 1) : nil
                guard let sample = recorded ?? (try? Fixtures.text("control/\(method).result")) else { return }
                talk.say(sample.replacing("\n", with: " "))
            }
        }
        setenv("SALLYPORT_HOME", folder.path, 1)
        let model = ShellModel()
        unsetenv("SALLYPORT_HOME")
        model.send(.link(.untrusted("The secrets can't be read.")))
        return (model, peer)
    }

    private func asked(_ method: String) -> [String] { heard.use { $0.filter { $0.contains("\"\(method)\"") } } }

    func testTheMenuPausesAndQuittingStops() async throws {
        let (model, peer) = unproved()
        defer { peer.end() }
        try await until("asked") { model.state.status != nil }
        model.send(.chose(.pause))
        try await until("paused") { !self.asked("pause").isEmpty }
        await model.stop()
        XCTAssertEqual(asked("stop").count, 1)
    }

    func testATokenIsRevokedAndNothingGiven() async throws {
        let (model, peer) = unproved()
        defer { peer.end() }
        model.send(.presence(.opened(.settings)))
        model.loadLists()
        try await until("lists") { !model.state.lists.tokens.isEmpty && !model.state.lists.connections.isEmpty }
        let stage = Stage(AuthenticationSection(model: model))
        stage.button("Revoke…")?.press()
        stage.button("Revoke", "dialog")?.press()
        try await until("revoked") { !self.asked("tokens.revoke").isEmpty }
        let resumed = await model.attempt(Command.Resume())
        XCTAssertEqual(resumed, .failure(.refused(ControlError(code: -33_009, message: "The secrets can't be read."))))
        XCTAssertEqual(asked("resume"), [])
    }

    /// Opens the editor of a listed connection, as a double click does.
    private func edited(_ model: ShellModel) async throws -> Stage {
        model.send(.presence(.opened(.settings)))
        model.loadLists()
        try await until("lists") { !model.state.lists.connections.isEmpty }
        let stage = Stage(ConnectionsPane(model: model))
        stage.rowMenu?.doubleClick(model.state.lists.connections[1].id)
        try await until("opened") { stage.field("Name") != nil }
        return stage
    }

    func testAConnectionIsBlockedInItsEditor() async throws {
        let (model, peer) = unproved()
        defer { peer.end() }
        let stage = try await edited(model)
        stage.picker("Pane")?.choose(FormSection.Pane.advanced)
        stage.picker("External Clients")?.choose("blocked")
        stage.button("Save")?.press()
        try await until("saved") { !self.asked("connections.save").isEmpty }
        let saved = asked("connections.save").first ?? ""
        XCTAssertTrue(saved.contains(#""externalClients":{"level":"blocked"}"#), saved)
        XCTAssertEqual(asked("connections.form").count, 2)
        try await until("closed") { stage.field("Name") == nil }
    }

    func testNothingElseThatWasTypedIsSent() async throws {
        let (model, peer) = unproved()
        defer { peer.end() }
        let stage = try await edited(model)
        stage.picker("Password")?.choose("stored")
        stage.field("New password")?.type("hunter2")
        stage.button("Save")?.press()
        try await until("told") { stage.texts.contains("The secrets can't be read.") }
        stage.field("From a URL")?.type("postgres://anna:hunter2@db.example.com/shop")
        stage.button("Use")?.press()
        try await Task.sleep(for: .milliseconds(50))
        stage.button("Test", "sheet")?.press()
        try await Task.sleep(for: .milliseconds(50))
        XCTAssertFalse(heard.use { $0.contains { $0.contains("hunter2") } })
        XCTAssertEqual(asked("connections.form").count, 1)
        XCTAssertEqual(asked("connections.save"), [])
    }
}
