import Foundation
import XCTest

@testable import ShellRules

/// Rules that all shells share: equal inputs give equal results, to the byte.
final class VectorTests: XCTestCase {
    private struct ShownTexts: Decodable {
        struct Text: Decodable { let text, line, lines, name: String }
        let texts: [Text]
        let escaped: [[UInt32]]
    }

    func testTextIsEscapedAsElsewhere() throws {
        let vectors = try Fixtures.read(ShownTexts.self, "shown-text")
        XCTAssertGreaterThan(vectors.texts.count, 10)
        for vector in vectors.texts {
            assertSameText(ShownText.oneLine(vector.text), vector.line)
            assertSameText(ShownText.lines(vector.text), vector.lines)
            assertSameText(ShownText.name(vector.text), vector.name)
        }
    }

    /// All assigned characters of Unicode: each is escaped here if and only if the other shells
    /// escape it.
    func testEveryCharacterIsEscapedWhereItIsElsewhere() throws {
        let ranges = try Fixtures.read(ShownTexts.self, "shown-text").escaped
        var escaped = Set<UInt32>()
        for range in ranges { escaped.formUnion(range[0]...range[1]) }
        var wrong: [UInt32] = []
        for code in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(code), scalar.properties.generalCategory != .unassigned else { continue }
            if ShownText.isUnshowable(scalar) != escaped.contains(code) { wrong.append(code) }
        }
        XCTAssertEqual(wrong, [])
    }

    private struct Statement: Decodable { let text: String, rows: [String] }

    func testBlanksOfAStatementAreCountedAsElsewhere() throws {
        let marks: [StatementRow.Kind: String] = [.line: ">", .continued: ":", .blanks: "~"]
        let vectors = try Fixtures.read([Statement].self, "statement-rows")
        XCTAssertGreaterThan(vectors.count, 10)
        for vector in vectors {
            let rows = StatementRow.rows(of: ShownText.lines(vector.text))
            assertSameText(
                rows.map { "\(marks[$0.kind] ?? "?") \($0.text)" }.joined(separator: "\n"), vector.rows.joined(separator: "\n"),
                vector.text)
        }
    }

    func testEverySettingHasItsControl() throws {
        let settings = try Fixtures.read([SettingView].self, "settings")
        let controls = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, SettingForm($0).control) })
        XCTAssertEqual(controls["enabled"], .toggle)
        XCTAssertEqual(controls["keychain"], .choice(["auto", "required"]))
        XCTAssertEqual(controls["log.level"], .choice(["error", "warn", "info", "debug"]))
        XCTAssertEqual(controls["history"], .choice(["on", "off"]))
        XCTAssertEqual(controls["port"], .field(unit: nil))
        XCTAssertEqual(controls["query.maxSeconds"], .field(unit: "seconds"))
        XCTAssertEqual(controls["limits.requestsPerMinute"], .field(unit: nil))
        for setting in settings { XCTAssertNil(SettingForm(setting).problem, setting.key) }
    }
}
