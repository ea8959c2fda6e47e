import Foundation
import ShellRules

extension Samples {
    /// The daemon's settings at their defaults, in its words and its order: what it came to in shared/fixtures.
    static let settings: [SettingView] = {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../../shared/fixtures/settings.json").standardizedFileURL
        guard let bytes = FileManager.default.contents(atPath: file.path) else { fatalError("\(file.path) can't be read") }
        return read(String(decoding: bytes, as: UTF8.self))
    }()
}
