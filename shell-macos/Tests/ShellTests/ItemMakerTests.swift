import Foundation
import Security
import XCTest

@testable import KeychainMaker
@testable import ShellRules

/// The calls of `sallyport-keychain` to the keychain.
final class ItemMakerTests: XCTestCase {
    private let account = "7d9f1c1e-3b1a-4c55-9d7e-0a2b3c4d5e6f/shell/secret"
    private let app = "/Applications/Sallyport.app"
    private var maker: URL { URL(fileURLWithPath: "\(app)/Contents/Helpers/sallyport-keychain") }
    private var signed: [String: String?] {
        [app: "TEAM", "\(app)/Contents/MacOS/sallyportd": "TEAM", maker.path: "TEAM"]
    }

    override func setUp() {
        (Keychained.asked, Keychained.added, Keychained.status) = ([], [], 0)
        Signed.teams = signed
    }

    private func made() -> String? { ItemMaker.make(arguments: [account], executable: maker) }

    func testItAddsOneItemThatTheAppAndItsDaemonMayRead() throws {
        XCTAssertNil(made())
        XCTAssertEqual(Keychained.asked, [], "it reads nothing")
        XCTAssertEqual(Keychained.added.count, 1)
        let item = try XCTUnwrap(Keychained.added.first as? [String: Any])
        XCTAssertEqual(
            Set(item.keys),
            ["kSecClass", "kSecAttrService", "kSecAttrAccount", "kSecAttrLabel", "kSecAttrAccess", "kSecValueData"])
        XCTAssertEqual(item["kSecClass"] as? String, "kSecClassGenericPassword")
        XCTAssertEqual(item["kSecAttrService"] as? String, "Sallyport")
        XCTAssertEqual(item["kSecAttrLabel"] as? String, "Sallyport")
        XCTAssertEqual(item["kSecAttrAccount"] as? String, account)
        let access = try XCTUnwrap(item["kSecAttrAccess"] as? SecAccess)
        XCTAssertEqual(access.descriptor, "Sallyport")
        XCTAssertEqual(access.trusted.map(\.path), [app, "\(app)/Contents/MacOS/sallyportd"])
        let secret = try XCTUnwrap((item["kSecValueData"] as? Data).flatMap { String(data: $0, encoding: .utf8) })
        XCTAssertTrue(secret.hasPrefix(ShellSecretItem.mark))
        XCTAssertTrue(Proofs.isNonce(String(secret.dropFirst(ShellSecretItem.mark.count))))
    }

    func testItAddsNothingWhereAReaderIsOfAnotherTeamOrOfNone() {
        for path in signed.keys {
            for other: String? in ["OTHER", nil] {
                Signed.teams = signed
                Signed.teams[path] = .some(other)
                XCTAssertEqual(made(), "Sallyport.app is not signed by one team", path)
            }
            Signed.teams = signed
            Signed.teams[path] = nil
            XCTAssertEqual(made(), "Sallyport.app is not signed by one team", "\(path) is missing")
        }
        Signed.teams = signed.mapValues { _ in nil }
        XCTAssertEqual(made(), "Sallyport.app is not signed by one team", "signed ad hoc")
        XCTAssertEqual(Keychained.added, [])
    }

    func testItAddsNothingElse() {
        XCTAssertNotNil(ItemMaker.make(arguments: [account, "x"], executable: maker))
        XCTAssertNotNil(ItemMaker.make(arguments: [account], executable: nil))
        XCTAssertNotNil(ItemMaker.make(arguments: [account], executable: URL(fileURLWithPath: "/tmp/sallyport-keychain")))
        XCTAssertEqual(Keychained.added, [])
    }

    func testTheProgramFailsWithItsReasonAlone() throws {
        let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let program = Process()
        program.executableURL = built.appendingPathComponent("sallyport-keychain")
        program.arguments = ["anything"]
        let (said, complaint) = (Pipe(), Pipe())
        (program.standardOutput, program.standardError) = (said, complaint)
        try program.run()
        program.waitUntilExit()
        XCTAssertEqual(program.terminationStatus, 1)
        XCTAssertEqual(said.fileHandleForReading.readDataToEndOfFile(), Data())
        XCTAssertEqual(
            String(data: complaint.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8),
            "it makes the shell secret of one store and nothing else\n")
    }

    func testWhatTheKeychainRefusesIsSaid() {
        Keychained.status = -25299
        XCTAssertEqual(made(), "the status -25299")
    }
}
