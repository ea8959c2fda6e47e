import Foundation
import ShellRules

/// The daemon's own texts, from the samples of its messages in shared/fixtures.
extension Samples {
    /// The daemon's settings at their defaults, in its words and order.
    static let settings: [SettingView] = read(shared("settings"))

    static let snippets: Command.SnippetsList.Answer = {
        let answer: ControlAnswer<Command.SnippetsList.Answer> = read(shared("control/snippets.list.result"))
        return answer.result
    }()

    static func refused(_ message: String) -> ControlClient.Failure { .refused(read(#"{"code":-32602,"message":"\#(message)"}"#)) }

    static let boxes: [BoxView] = {
        let answer: ControlAnswer<BoxList> = read(shared("control/boxes.list.result"))
        return answer.result.boxes
    }()

    static let unknownHostKey: ConnectionTestResult = .notReachable(
        name: "Shop (staging)", problem: "",
        hostKey: HostKey(
            host: "bastion.example.com", type: "ED25519", fingerprint: "SHA256:6f3T1bYdQe1dQ0mYw1M0p0hUe1sC3hV7yqQ8k0w2m4A"))

    private static func shared(_ name: String) -> String {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../../shared/fixtures/\(name).json").standardizedFileURL
        guard let bytes = FileManager.default.contents(atPath: file.path) else { fatalError("\(file.path) can't be read") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
