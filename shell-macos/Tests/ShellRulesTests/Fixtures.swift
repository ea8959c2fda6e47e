import Foundation
import XCTest

@testable import ShellRules

/// The samples that the project's shells share.
enum Fixtures {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../shared/fixtures").standardizedFileURL

    static func text(_ name: String) throws -> String {
        let file = folder.appendingPathComponent("\(name).json")
        guard let bytes = FileManager.default.contents(atPath: file.path) else {
            throw Missing(
                description: "\(file.path) can't be read; in a chroot make the whole project visible, not this folder alone.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        try JSONText.decode(type, from: try text(name))
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    struct Proofs: Decodable {
        let secret, token, shellNonce, daemonNonce, instance: String
        let port: Int
        let identifyProof, daemonProof, shellProof, sessionKey: String
    }

    /// A connection's form: of a new one, or `-saved`, `-pasted`, `-draft`.
    static func form(_ kind: String = "") throws -> ConnectionForm.Answer {
        try read(Answered<ConnectionForm.Answer>.self, "control/connections.form\(kind).result").result
    }

    /// What waits, by the id in its sample: a question `k3m9x2pq`, a first use `w7r2c4hd`, requests
    /// `rqst2345` (a write) and `rqst6789` (a first use), another shell's increase `m4n8c2vb`,
    /// a pairing `t5y7w3kd`.
    static func ask(_ id: String, _ change: (inout AskView) -> Void = { _ in }) throws -> AskView {
        let pairing = try read(Answered<AskView>.self, "control/pairing.begin.result").result
        let increase = try read(Sent<DeskChange>.self, "control/desk.changed-increase.notification").params.asked
        var asks = try read(Answered<AskList>.self, "control/desk.list.result").result.asks + [pairing]
        if let increase { asks.append(increase) }
        guard var view = asks.first(where: { $0.id == id }) else { throw Missing(description: "no sample of \(id)") }
        change(&view)
        return view
    }

    /// The write `rqst2345`, with what it takes.
    static func opened() throws -> AskView {
        let asks = try read(Answered<AskList>.self, "control/desk.open.result").result.asks
        return try asks.first { $0.id == "rqst2345" } ?? { throw Missing(description: "no opened request") }()
    }

    static func decision(_ ids: [String], _ answer: DeskAnswer, address: String? = nil) -> DeskDecision {
        DeskDecision(ids: ids, answer: answer, ran: [], said: [], address: address, token: nil)
    }

    struct Sent<Params: Decodable>: Decodable { let params: Params }
    struct Answered<Result: Decodable>: Decodable { let result: Result }
}

extension Language {
    /// The table of texts. Counted texts take their forms from the call.
    static func german() throws -> Language {
        let file = Fixtures.folder.appendingPathComponent("../../shared/texts.json").standardizedFileURL
        let table = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        let texts = table.compactMapValues { $0 as? String }
        return Language(locale: Locale(identifier: "de_DE")) { key, english in texts[key] ?? english }
    }
}

func moment(_ wall: String, uptime: Double = 0) -> Moment {
    Moment(wall: Instant.date(wall) ?? .distantPast, uptimeSeconds: uptime)
}

/// Compares bytes, because Swift holds two spellings of é for the same character.
func assertSameText(_ left: String?, _ right: String?, _ about: String = "", file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(
        left.map { Array($0.utf8) }, right.map { Array($0.utf8) }, "\(about): \(left ?? "nil") | \(right ?? "nil")", file: file,
        line: line)
}
