import Foundation
import XCTest

@testable import ShellRules

/// The commands of the program that makes the keychain's item for the shell secret. Any program can
/// run it.
final class ShellSecretItemTests: XCTestCase {
    private let account = "7d9f1c1e-3b1a-4c55-9d7e-0a2b3c4d5e6f/shell/secret"

    func testItIsTheShellSecretOfOneStoreAndNothingElse() {
        XCTAssertEqual(ShellSecretItem(arguments: [account])?.account, account)
        for others in [
            [], [account, account], [""], [account + "/"], [account + "\n"], ["/" + account], ["Sallyport"],
            [account.replacingOccurrences(of: "shell/secret", with: "password/shop")],
            [account.replacingOccurrences(of: "shell/secret", with: "shell/other")],
            [account.uppercased()], [account.replacingOccurrences(of: "7d9f1c1e-", with: "")],
        ] {
            XCTAssertNil(ShellSecretItem(arguments: others), "\(others)")
        }
    }

    func testItsSecretIsNewEachTimeAndSaysWhereItWasMade() {
        var chance = SystemRandomNumberGenerator()
        let made = (0..<20).map { _ in ShellSecretItem.newSecret(from: &chance) }
        XCTAssertEqual(Set(made).count, made.count)
        for secret in made {
            XCTAssertTrue(secret.hasPrefix("keychain."))
            XCTAssertTrue(Proofs.isNonce(String(secret.dropFirst("keychain.".count))))
        }
    }

    func testItsReadersAreTheAppAndItsDaemonWhereverTheAppIs() {
        for place in ["/Applications", "/Users/anna/My Apps"] {
            let maker = URL(fileURLWithPath: "\(place)/Sallyport.app/Contents/Helpers/sallyport-keychain")
            XCTAssertEqual(
                ShellSecretItem.readers(beside: maker)?.map(\.path),
                ["\(place)/Sallyport.app", "\(place)/Sallyport.app/Contents/MacOS/sallyportd"])
        }
        for elsewhere in ["/usr/bin/x", "/tmp/Contents/Helpers/x", "/tmp/a.app/Contents/MacOS/x", "/x"] {
            XCTAssertNil(ShellSecretItem.readers(beside: URL(fileURLWithPath: elsewhere)), elsewhere)
        }
    }

    func testTheyAreOfOneTeamOrItIsNotMade() {
        XCTAssertTrue(ShellSecretItem.isOneTeam(["TEAM", "TEAM", "TEAM"]))
        for others in [
            [], [nil, nil, nil], ["", "", ""], ["TEAM", nil, "TEAM"], ["TEAM", "TEAM", "OTHER"], [nil, "TEAM", "TEAM"],
        ] {
            XCTAssertFalse(ShellSecretItem.isOneTeam(others), "\(others)")
        }
    }
}
