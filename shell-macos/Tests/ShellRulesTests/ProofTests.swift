import XCTest

@testable import ShellRules

final class ProofTests: XCTestCase {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// FIPS 180-4 and its examples: one block, two blocks, none, and a million bytes.
    func testSHA256IsFIPS180s() {
        let vectors = [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ]
        for (message, digest) in vectors { XCTAssertEqual(hex(Hashing.sha256(bytes(message))), digest) }
        let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        XCTAssertEqual(hex(Hashing.sha256(million)), digest)
    }

    func testEveryLengthAroundABlockIsPaddedRight() {
        // One digest over all these digests, so that none of them can be wrong.
        var all: [UInt8] = []
        for count in 0...130 { all += Hashing.sha256([UInt8](repeating: 0x61, count: count)) }
        XCTAssertEqual(hex(Hashing.sha256(all)), "f908a43fc8456c583aacde0fb2627959f8513dc76d0c03979b7f945a7dd78f22")
    }

    /// RFC 4231, cases 1 to 7.
    func testHMACIsRFC4231s() {
        let longKey = [UInt8](repeating: 0xaa, count: 131)
        let vectors: [([UInt8], [UInt8], String)] = [
            (
                [UInt8](repeating: 0x0b, count: 20), bytes("Hi There"),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                bytes("Jefe"), bytes("what do ya want for nothing?"),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xcd, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                longKey, bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                longKey,
                bytes(
                    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
                ),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ]
        for (key, message, mac) in vectors { XCTAssertEqual(hex(Hashing.hmac(key: key, message: message)), mac) }
        let cut = Hashing.hmac(key: [UInt8](repeating: 0x0c, count: 20), message: bytes("Test With Truncation"))
        XCTAssertEqual(hex(Array(cut[..<16])), "a3b6167473100ee06e0c796c2955552b")
    }

    func testBase64URLIsRFC4648s() {
        for (text, encoded) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")] {
            XCTAssertEqual(Hashing.base64URL(bytes(text)), encoded)
        }
        XCTAssertEqual(Hashing.base64URL([0xfb, 0xff, 0xfe]), "-__-")
    }

    func testComparingLooksAtBytes() {
        XCTAssertTrue(Hashing.isSame("abc", "abc"))
        XCTAssertFalse(Hashing.isSame("abc", "abd"))
        XCTAssertFalse(Hashing.isSame("abc", "ab"))
        XCTAssertFalse(Hashing.isSame("\u{e9}", "e\u{301}"), "one character to Swift, other bytes")
    }

    func testProofsAreTheSamples() throws {
        let proofs = try Fixtures.read(Fixtures.Proofs.self, "control/proofs")
        let (secret, nonces) = (proofs.secret, (proofs.shellNonce, proofs.daemonNonce))
        XCTAssertEqual(Proofs.shell(secret: secret, side: .daemon, shellNonce: nonces.0, daemonNonce: nonces.1), proofs.daemonProof)
        XCTAssertEqual(Proofs.shell(secret: secret, side: .shell, shellNonce: nonces.0, daemonNonce: nonces.1), proofs.shellProof)
        XCTAssertEqual(Proofs.sessionKey(secret: secret, shellNonce: nonces.0, daemonNonce: nonces.1), proofs.sessionKey)
    }

    func testNoncesAreFreshAndOfTheirForm() {
        var chance = SystemRandomNumberGenerator()
        let nonces = (0..<20).map { _ in Proofs.newNonce(from: &chance) }
        XCTAssertTrue(nonces.allSatisfy(Proofs.isNonce))
        XCTAssertEqual(Set(nonces).count, nonces.count)
        for other in ["", String(repeating: "a", count: 42), String(repeating: "é", count: 43), String(repeating: "+", count: 43)] {
            XCTAssertFalse(Proofs.isNonce(other))
        }
    }

    func testSealsAreTheSamplesInOneDirectionEach() throws {
        let key = try Fixtures.read(Fixtures.Proofs.self, "control/proofs").sessionKey
        let request = try Fixtures.read(SealedLine.self, "control/sealed.request")
        let result = try Fixtures.text("control/sealed.result")
        var shell = Seal(sessionKey: key)
        XCTAssertEqual(try JSONText.decode(SealedLine.self, from: try shell.seal(request.message)), request)
        XCTAssertEqual(shell.open(result), try JSONText.decode(SealedLine.self, from: result).message)
        XCTAssertNil(shell.open(result), "a line played again")
        var daemon = Seal(sessionKey: key, side: .daemon)
        XCTAssertNil(daemon.open(result), "our own line sent back")
        var forged = Seal(sessionKey: key)
        XCTAssertNil(forged.open(result.replacingOccurrences(of: "quoted", with: "forged")))
        var renumbered = Seal(sessionKey: key)
        XCTAssertNil(renumbered.open(result.replacingOccurrences(of: "\"counter\": 1", with: "\"counter\": 2")))
        var ahead = Seal(sessionKey: key)
        XCTAssertNil(ahead.open(#"{"counter":2,"mac":"x","message":"{}"}"#))
    }

    func testLinesAreCutWhereverTheChunksEnd() throws {
        let stream = Array("one\r\n\n\ntwo é🐚\nthree".utf8)
        for size in 1...stream.count {
            var splitter = LineSplitter(maxLineBytes: 64)
            var lines: [String] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                lines += try splitter.push(Array(stream[start..<min(start + size, stream.count)]))
            }
            XCTAssertEqual(lines, ["one", "two é🐚"])
            XCTAssertEqual(try splitter.push(Array("\n".utf8)), ["three"])
        }
        var splitter = LineSplitter(maxLineBytes: 4)
        XCTAssertEqual(try splitter.push(Array("1234\n".utf8)), ["1234"])
        XCTAssertThrowsError(try splitter.push(Array("12345".utf8)))
    }
}
