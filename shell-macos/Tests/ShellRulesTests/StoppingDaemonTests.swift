import Foundation
import XCTest

@testable import ShellRules

/// Quit over a running link, as in the app.
final class StoppingDaemonTests: XCTestCase {
    private let folder = TestFolder()
    private let secret = "the shell secret of this home"

    /// - Returns: the connection of a running link, and the link.
    private func running(
        to talk: @escaping @Sendable (TestPeer.Talk) -> Void
    ) async throws -> (ControlClient, Task<Void, Never>, TestPeer) {
        let peer = TestPeer(at: "\(folder.path)/control.sock", talk: talk)
        let (locations, secret) = (Locations(home: folder.path), secret)
        let link = DaemonLink(
            connect: { await Connecting.prove(locations, shell: "app", secret: secret, proofSeconds: 5) },
            sleep: { try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000)) },
            uptimeSeconds: { ProcessInfo.processInfo.systemUptime }, chance: { 0.5 })
        let (clients, told) = AsyncStream<ControlClient>.makeStream()
        let task = Task {
            await link.run(tell: { if case .connected(let client) = $0 { told.yield(client) } }, notify: { _ in })
        }
        var connected = clients.makeAsyncIterator()
        let client = await connected.next()
        return (try XCTUnwrap(client), task, peer)
    }

    func testTheDaemonIsAskedBeforeItsLinkEnds() async throws {
        let secret = secret
        let (client, link, peer) = try await running { talk in
            guard var seal = talk.prove(secret: secret) else { return }
            guard let asked = talk.hear().flatMap({ seal.open($0) }), asked.contains("\"method\":\"stop\"") else { return }
            talk.say((try? seal.seal(#"{"jsonrpc":"2.0","id":1,"result":{"pid":42}}"#)) ?? "")
            _ = talk.hear()
        }
        defer { peer.end() }
        let stops = await StoppingDaemon.ask(client, link: link)
        XCTAssertTrue(stops, "the daemon was not asked, or its answer not awaited")
        XCTAssertTrue(link.isCancelled, "a link that goes on starts another daemon")
        await link.value
    }

    func testADaemonThatDoesNotAnswerDoesNotKeepTheApp() async throws {
        let secret = secret
        let (client, link, peer) = try await running { talk in
            guard talk.prove(secret: secret) != nil else { return }
            _ = talk.hear()
            _ = talk.hear()
        }
        defer { peer.end() }
        let stops = await StoppingDaemon.ask(client, link: link, patienceSeconds: 0.2)
        XCTAssertFalse(stops)
        XCTAssertTrue(link.isCancelled)
        await link.value
    }

    func testWithoutAConnectionTheLinkEnds() async {
        let link = Task<Void, Never> { try? await Task.sleep(nanoseconds: 60_000_000_000) }
        let stops = await StoppingDaemon.ask(nil, link: link)
        XCTAssertFalse(stops)
        XCTAssertTrue(link.isCancelled)
    }
}
