import Foundation
import ShellRules

/// Where the app's bundle has its programs.
struct BundlePlaces: Sendable {
    private let programs = Bundle.main.bundleURL.appendingPathComponent("Contents/MacOS", isDirectory: true)

    var isPassing: Bool { BundlePlace.isPassing(Bundle.main.bundleURL.path) }
    var daemon: URL { programs.appendingPathComponent("sallyportd") }
    /// What a client's configuration names: this install's own.
    var bridge: URL { programs.appendingPathComponent("sallyport-mcp") }
}
