import Foundation
import XCTest

@testable import ShellRules

/// The client against peers that misbehave. RealDaemonTests run it against the real daemon.
final class SocketTests: XCTestCase {
    private let folder = TestFolder()
    private let secret = "the shell secret of this home"

    private func connect(
        seconds: Double = 5, to talk: @escaping @Sendable (TestPeer.Talk) -> Void
    ) async -> (Connecting, TestPeer) {
        let peer = TestPeer(at: "\(folder.path)/control.sock", talk: talk)
        let locations = Locations(home: folder.path)
        return (await Connecting.prove(locations, shell: "app", secret: secret, proofSeconds: seconds), peer)
    }

    private func assertUntrusted(_ connecting: Connecting, _ words: String, line: UInt = #line) {
        guard case .untrusted(let sentence) = connecting else { return XCTFail("\(connecting)", line: line) }
        XCTAssertTrue(sentence.contains(words), sentence, line: line)
    }

    /// The lines that a peer received, from its thread.
    private final class Heard: @unchecked Sendable {
        private let lines = Locked<[String]>([])
        func note(_ line: String?) { lines.use { $0.append(line ?? "end") } }
        var all: [String] { lines.use { $0 } }
    }

    func testBothSidesProveThemselvesAndTalk() async throws {
        let secret = secret
        let (connecting, peer) = await connect { talk in
            guard var seal = talk.prove(secret: secret) else { return }
            // The answer comes in pieces, together with a notification.
            guard let asked = talk.hear().flatMap({ seal.open($0) }), asked.contains("\"method\":\"stop\"") else { return }
            let strange = (try? seal.seal(#"{"jsonrpc":"2.0","method":"desk.changed","params":{"later":true}}"#)) ?? ""
            let ended =
                (try? seal.seal(
                    #"{"jsonrpc":"2.0","method":"desk.changed","params":{"waiting":0,"asked":null,"ended":{"id":"x","because":"moved"}}}"#
                )) ?? ""
            let told = (try? seal.seal(#"{"jsonrpc":"2.0","method":"activity.appended","params":{"rows":[]}}"#)) ?? ""
            let answered = (try? seal.seal(#"{"jsonrpc":"2.0","id":1,"result":{"pid":42}}"#)) ?? ""
            talk.say("\(strange)\n\(ended)\n\(told)\n\(answered)")
            _ = talk.hear()
        }
        defer { peer.end() }
        guard case .connected(let client) = connecting else { return XCTFail("\(connecting)") }
        let answer = try await client.ask(Command.Stop())
        XCTAssertEqual(answer.pid, 42)
        var notifications = client.notifications.makeAsyncIterator()
        let first = await notifications.next()
        XCTAssertEqual(first, .unknown(method: "desk.changed"))
        // Of what ended nobody waits for an answer.
        let second = await notifications.next()
        XCTAssertEqual(second, .activityAppended(rows: []))
        client.close()
        let last = await notifications.next()
        XCTAssertNil(last)
        do {
            _ = try await client.ask(Command.Status())
            XCTFail("answered after its end")
        } catch {
            XCTAssertEqual(error as? ControlClient.Failure, .lost)
        }
    }

    func testAnImpostorGetsNoProof() async {
        let heard = Heard()
        let (connecting, peer) = await connect { talk in
            _ = talk.prove(secret: "a guess")
            heard.note(talk.hear())
        }
        defer { peer.end() }
        assertUntrusted(connecting, "did not prove to be the daemon of this home; nothing was sent to it")
        XCTAssertTrue(heard.all.allSatisfy { !$0.contains("shell.prove") })
    }

    func testOurOwnProofSentBackIsNone() async {
        let secret = secret
        let (connecting, peer) = await connect { talk in
            struct Sent: Decodable { let params: ChallengeParams }
            guard let challenge = talk.hear().flatMap({ try? JSONText.decode(Sent.self, from: $0).params }) else { return }
            let proof = Proofs.shell(secret: secret, side: .shell, shellNonce: challenge.nonce, daemonNonce: challenge.nonce)
            talk.answer(ChallengeResult(protocol: "2", nonce: challenge.nonce, proof: proof))
            _ = talk.hear()
        }
        defer { peer.end() }
        assertUntrusted(connecting, "did not prove")
    }

    func testItSaysWhichProcessItIs() async {
        let heard = Heard()
        let (_, peer) = await connect { talk in heard.note(talk.hear()) }
        defer { peer.end() }
        struct Sent: Decodable { let params: ChallengeParams }
        let challenge = heard.all.first.flatMap { try? JSONText.decode(Sent.self, from: $0).params }
        XCTAssertEqual(challenge?.pid, Int(ProcessInfo.processInfo.processIdentifier))
    }

    func testAnotherMajorVersionIsRefusedByName() async {
        let secret = secret
        let (connecting, peer) = await connect { talk in _ = talk.prove(secret: secret, spoken: "3.3\u{202e}") }
        defer { peer.end() }
        assertUntrusted(connecting, "The daemon speaks control protocol 3.3\u{202e}, this app 2; run `sallyport restart`")
    }

    func testTheDaemonsOwnRefusalIsItsSentence() async throws {
        let refusal = try Fixtures.text("control/error.other-version").replacingOccurrences(of: "\n", with: "")
        let (connecting, peer) = await connect { talk in
            _ = talk.hear()
            talk.say(refusal)
        }
        defer { peer.end() }
        assertUntrusted(connecting, "not \"1\". `sallyport restart`")
    }

    func testSilenceHasAnEnd() async {
        let (connecting, peer) = await connect(seconds: 0.3) { talk in
            _ = talk.hear()
            _ = talk.hear()
        }
        defer { peer.end() }
        assertUntrusted(connecting, "gave no proof in time")
    }

    func testOneThatIsCutIsDialledAgain() async {
        let secret = secret
        let count = Locked(0)
        let (connecting, peer) = await connect { talk in
            let number = count.use { (count: inout Int) -> Int in
                count += 1
                return count
            }
            if number < 3 { return }
            _ = talk.prove(secret: secret)
            _ = talk.hear()
        }
        defer { peer.end() }
        guard case .connected(let client) = connecting else { return XCTFail("\(connecting)") }
        client.close()
        XCTAssertEqual(count.use { $0 }, 3)
    }

    func testAForgedLineEndsTheConnection() async {
        await assertEnds { talk, seal in
            var other = Seal(sessionKey: "another key", side: .daemon)
            _ = seal
            talk.say((try? other.seal(#"{"jsonrpc":"2.0","id":1,"result":{"pid":1}}"#)) ?? "")
        }
    }

    func testALineWithoutItsPlaceEndsTheConnection() async {
        await assertEnds { talk, seal in
            var ahead = seal
            _ = try? ahead.seal("{}")
            talk.say((try? ahead.seal(#"{"jsonrpc":"2.0","id":1,"result":{"pid":1}}"#)) ?? "")
        }
    }

    func testALineOfMoreThanOneMebibyteEndsTheConnection() async {
        await assertEnds { talk, _ in talk.say(String(repeating: "x", count: ControlProtocol.maxLineBytes + 1)) }
    }

    func testAPlainLineEndsTheConnection() async {
        await assertEnds { talk, _ in talk.say(#"{"jsonrpc":"2.0","id":1,"result":{"pid":1}}"#) }
    }

    private func assertEnds(line: UInt = #line, _ answer: @escaping @Sendable (TestPeer.Talk, Seal) -> Void) async {
        let secret = secret
        let (connecting, peer) = await connect { talk in
            guard let seal = talk.prove(secret: secret), talk.hear() != nil else { return }
            answer(talk, seal)
            _ = talk.hear()
        }
        defer { peer.end() }
        guard case .connected(let client) = connecting else { return XCTFail("\(connecting)", line: line) }
        do {
            _ = try await client.ask(Command.Stop())
            XCTFail("taken for an answer", line: line)
        } catch {
            XCTAssertEqual(error as? ControlClient.Failure, .lost, line: line)
        }
        for await _ in client.notifications { XCTFail("told of something", line: line) }
    }

    func testWhatIsTooLargeIsNotSentAndBreaksNothing() async throws {
        let secret = secret
        let (connecting, peer) = await connect { talk in
            guard var seal = talk.prove(secret: secret), let line = talk.hear(), seal.open(line) != nil else { return }
            talk.say((try? seal.seal(#"{"jsonrpc":"2.0","id":1,"result":{"pid":7}}"#)) ?? "")
            _ = talk.hear()
        }
        defer { peer.end() }
        guard case .connected(let client) = connecting else { return XCTFail("\(connecting)") }
        do {
            _ = try await client.ask(Command.StatementsClassify(connection: "x", sql: String(repeating: "x", count: 1_100_000)))
            XCTFail("sent")
        } catch {
            XCTAssertEqual(error as? ControlClient.Failure, .tooLarge)
        }
        let answer = try await client.ask(Command.Stop())
        XCTAssertEqual(answer.pid, 7, "the counter was not used up")
        client.close()
    }

    func testNobodyListens() async {
        let nowhere = await Connecting.prove(Locations(home: "\(folder.path)/none"), shell: "app", secret: secret)
        guard case .absent = nowhere else { return XCTFail("\(nowhere)") }
        folder.write("control.sock", "no socket")
        let file = await Connecting.prove(Locations(home: folder.path), shell: "app", secret: secret)
        guard case .absent = file else { return XCTFail("\(file)") }
    }

    func testAFolderOthersMayWriteIsNotUsed() async {
        chmod(folder.path, 0o777)
        let connecting = await Connecting.prove(Locations(home: folder.path), shell: "app", secret: secret)
        assertUntrusted(connecting, "can be written by others, so its control socket was not used.")
    }

    func testTheReconnectIsBounded() {
        var reconnect = Reconnect()
        var waits: [Double] = []
        while case .waitSeconds(let seconds) = reconnect.failed(chance: 1) { waits.append(seconds) }
        XCTAssertEqual(waits.count, Reconnect.mostTries - 1)
        XCTAssertEqual(Array(waits.prefix(4)), [0.2, 0.4, 0.8, 1.6])
        XCTAssertEqual(waits.max(), Reconnect.longestSeconds)
        reconnect.lost(afterSeconds: 1)
        XCTAssertEqual(reconnect.failed(chance: 0), .giveUp, "one that dies at once was not reached")
        reconnect.lost(afterSeconds: 60)
        XCTAssertEqual(reconnect.failed(chance: 0), .waitSeconds(0.1))
    }

    func testALinkGivesUpAndTellsOnceThatNobodyIsThere() async {
        let slept = Locked<[Double]>([])
        let told = Heard()
        let link = DaemonLink(
            connect: { .absent }, sleep: { seconds in slept.use { $0.append(seconds) } }, uptimeSeconds: { 0 }, chance: { 0.5 })
        await link.run(
            tell: { event in
                switch event {
                case .absent: told.note("absent")
                case .gaveUp: told.note("gave up")
                default: told.note("other")
                }
            }, notify: { _ in })
        XCTAssertEqual(told.all, ["absent", "gave up"])
        XCTAssertEqual(slept.use { $0.count }, Reconnect.mostTries - 1)
    }
}
