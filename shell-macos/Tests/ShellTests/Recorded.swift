import Foundation

@testable import ShellRules

/// An answer that the real daemon gave to the app, in a home of some kind: `click/resume`.
/// `make recorded` makes them (test/shell-macos/recorded).
struct Recorded: Decodable, Sendable {
    struct Answer: Codable, Equatable, Sendable {
        let result: JSONValue?
        let error: JSONValue?
        let unconfirmed: Bool?
    }
    /// What a refusal waits for before the request is done.
    enum Settled { case byClick, byTouchID, byPassphrase, never }

    let method: String
    let answer: Answer

    init(_ name: String) throws {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard let found = try Recorded.all(parts[0])[parts[1]] else {
            throw Fixtures.Missing(description: "the daemon never said \(name)")
        }
        self = found
    }

    static func names(_ home: String) throws -> [String] { try all(home).keys.sorted() }

    private static func all(_ home: String) throws -> [String: Recorded] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Recorded/\(home).json")
        return try JSONText.decode([String: Recorded].self, from: Desk.later(String(contentsOf: file, encoding: .utf8)))
    }

    func result<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONText.decode(type, from: JSONText.encode(answer.result ?? .null))
    }

    func error() throws -> ControlError {
        try JSONText.decode(ControlError.self, from: JSONText.encode(answer.error ?? .null))
    }

    var settled: Settled {
        guard let error = try? error() else { return .never }
        if error.touch != nil { return .byTouchID }
        return error.wantsConfirmation ? .byClick : error.wantsPassphrase ? .byPassphrase : .never
    }

    func line(id: Int) throws -> String {
        guard case .object(var line) = try JSONText.decode(JSONValue.self, from: JSONText.encode(answer)) else { return "" }
        line["jsonrpc"] = .string("2.0")
        line["id"] = .integer(Int64(id))
        return try JSONText.encode(JSONValue.object(line))
    }
}
