import Foundation
import ShellRules

/// What the daemon itself says, by the samples of its messages in shared/fixtures.
extension Samples {
    /// The daemon's settings at their defaults, in its words and its order.
    static let settings: [SettingView] = read(shared("settings"))

    static let snippets: Command.SnippetsList.Answer = {
        let answer: ControlAnswer<Command.SnippetsList.Answer> = read(shared("control/snippets.list.result"))
        return answer.result
    }()

    private static func shared(_ name: String) -> String {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../../shared/fixtures/\(name).json").standardizedFileURL
        guard let bytes = FileManager.default.contents(atPath: file.path) else { fatalError("\(file.path) can't be read") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
