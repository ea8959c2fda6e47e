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
                guard let method = (try? JSONText.decode(Asked.self, from: line))?.method,
                    let sample = try? Fixtures.text("control/\(method).result")
                else { return }
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
}
