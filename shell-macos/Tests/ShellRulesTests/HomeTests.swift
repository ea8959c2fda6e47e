import Foundation
import XCTest

@testable import ShellRules

/// The files of a home that the app reads, from the samples that all programs share.
final class HomeTests: XCTestCase {
    private let folder = TestFolder()
    private let secret = "wCFwn-BduXmJ8svul71eYLhtn8uEYusTHQJUhJpj49I"

    private func find(_ keychain: @escaping @Sendable (String) async -> ShellSecret.KeychainItem = { _ in .unusable("unasked") })
        async -> ShellSecret
    {
        await ShellSecret.find(in: Locations(home: folder.path), keychain: keychain)
    }

    func testTheSecretIsInTheFileWhereTheRecordSaysSo() async throws {
        let nothing = await find()
        XCTAssertEqual(nothing, .absent)
        folder.write("store.json", try Fixtures.text("home/store"))
        let none = await find()
        XCTAssertEqual(none, .absent)
        folder.write("secrets.json", try Fixtures.text("home/secrets"))
        let found = await find()
        XCTAssertEqual(found, .found(secret))
    }

    func testTheSecretIsInTheKeychainUnderItsAccount() async throws {
        struct Items: Decodable {
            struct Item: Decodable { let account, value: String }
            let service: String
            let items: [Item]
        }
        let keychain = try Fixtures.read(Items.self, "home/keychain-items")
        XCTAssertEqual(keychain.service, ShellSecret.keychainService)
        let items = Dictionary(uniqueKeysWithValues: keychain.items.map { ($0.account, $0.value) })
        folder.write("store.json", try Fixtures.text("home/store").replacingOccurrences(of: "\"file\"", with: "\"keychain\""))
        // A file beside it that isn't the app's.
        folder.write("secrets.json", try Fixtures.text("home/secrets").replacingOccurrences(of: secret, with: "other"))
        let found = await find { account in items[account].map { .found($0) } ?? .unusable("no such item") }
        XCTAssertEqual(found, .found(secret))
        let locked = await find { _ in .unusable("it is locked") }
        guard case .unusable(let sentence) = locked else { return XCTFail("\(locked)") }
        XCTAssertTrue(sentence.contains("can't be read: it is locked. Unlock it"))
    }

    func testFilesThatOthersCouldHaveMadeAreNotRead() async throws {
        let record = try Fixtures.text("home/store")
        func assertUnusable(_ words: String, line: UInt = #line) async {
            let found = await find()
            guard case .unusable(let sentence) = found else { return XCTFail("\(found)", line: line) }
            XCTAssertTrue(sentence.contains(words), sentence, line: line)
        }
        for mode in [0o644, 0o640, 0o604, 0o620, 0o400] {
            folder.write("store.json", record, mode: mode)
            await assertUnusable("has mode \(String(mode, radix: 8)), not 600")
        }
        try FileManager.default.removeItem(atPath: "\(folder.path)/store.json")
        folder.write("elsewhere", record)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/store.json", withDestinationPath: "\(folder.path)/elsewhere")
        await assertUnusable("can't be opened")
        try FileManager.default.removeItem(atPath: "\(folder.path)/store.json")
        mkfifo("\(folder.path)/store.json", 0o600)
        await assertUnusable("is not a regular file")
        try FileManager.default.removeItem(atPath: "\(folder.path)/store.json")
        folder.write("store.json", String(repeating: " ", count: 5_000))
        await assertUnusable("is larger than 4 kB")
        folder.write("store.json", "{\"version\":2}")
        await assertUnusable("is not in the form this Sallyport knows")
        folder.write("store.json", record)
        chmod(folder.path, 0o770)
        await assertUnusable("can be written by others")
    }

    func testALongHomeNamesTheFolderOfItsSocket() throws {
        let home = "\(folder.path)/" + String(repeating: "h", count: 120)
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let locations = Locations(home: home)
        let fallback = locations.controlSocketFolder
        let digest = fallback.suffix(16)
        let random = String((0..<16).map { _ in "0123456789abcdef".randomElement() ?? "0" })
        let name = "/tmp/sallyport-\(digest)-\(random)"
        let record = "\(home)/socket-folder"
        func keep(_ text: String, mode: Int = 0o600) {
            try? FileManager.default.removeItem(atPath: record)
            _ = FileManager.default.createFile(atPath: record, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        }
        keep(name)
        XCTAssertEqual(locations.controlSocketFolder, fallback, "nobody has made it")
        try FileManager.default.createDirectory(
            atPath: name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: name) }
        XCTAssertEqual(locations.controlSocket, "\(name)/control.sock")
        for other in ["", "/tmp", name + "x", name + "\n", name + "/..", "x" + name, "/tmp/sallyport-0123456789abcdef-\(random)"] {
            keep(other)
            XCTAssertEqual(locations.controlSocketFolder, fallback, other)
        }
        keep(name, mode: 0o644)
        XCTAssertEqual(locations.controlSocketFolder, fallback, "others may have written it")
        keep(name)
        if getuid() == 0 {
            chown(name, 65_533, 65_533)
            XCTAssertEqual(locations.controlSocketFolder, fallback, "another user's")
            chown(name, 0, 0)
        }
        try FileManager.default.removeItem(atPath: name)
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: folder.path)
        XCTAssertEqual(locations.controlSocketFolder, fallback, "a link")
    }

    func testPlacesAreTheDaemons() throws {
        #if os(macOS)
            let standard = "/Users/anna/Library/Application Support/Sallyport"
        #else
            let standard = "/Users/anna/.local/share/sallyport"
        #endif
        XCTAssertEqual(try Locations(environment: ["HOME": "/Users/anna"]).home, standard)
        XCTAssertEqual(try Locations(environment: ["HOME": ""], accountHome: "/Users/anna").home, standard)
        XCTAssertEqual(try Locations(environment: ["SALLYPORT_HOME": "/x//y/../z/", "HOME": "/h"]).home, "/x/z")
        XCTAssertEqual(try Locations(environment: ["SALLYPORT_HOME": "~/sp", "HOME": "/h"]).home, "/h/sp")
        XCTAssertEqual(try Locations(environment: ["SALLYPORT_HOME": "~", "HOME": ""], accountHome: "/a").home, "/a")
        for misnamed in ["sp", "./sp", "~anna/sp", "$HOME/sp", "s\u{202e}p"] {
            XCTAssertThrowsError(try Locations(environment: ["SALLYPORT_HOME": misnamed, "HOME": "/h"])) {
                XCTAssertEqual(
                    ($0 as? Locations.MisnamedHome).map { ShownText.sentence($0.problem) },
                    "SALLYPORT_HOME is \(ShownText.oneLine(misnamed)), which is not a whole path; begin it with / or ~/.")
            }
        }
        XCTAssertEqual(Locations(home: "/x").controlSocket, "/x/control.sock")
        let fits = "/" + String(repeating: "h", count: 103 - "//control.sock".utf8.count)
        XCTAssertEqual(Locations(home: fits).controlSocketFolder, fits)
        let long = fits + "h"
        let folder = Locations(home: long).controlSocketFolder
        let digest = Hashing.sha256(Array(long.utf8)).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        XCTAssertEqual(folder, "/run/user/\(getuid())/sallyport-\(digest)")
    }
}
