import Foundation
import ShellRules

/// The places of the programs in the app's bundle.
struct BundlePlaces: Sendable {
    private let programs = Bundle.main.bundleURL.appendingPathComponent("Contents/MacOS", isDirectory: true)

    var isPassing: Bool {
        let path = Bundle.main.bundleURL.path
        return BundlePlace.isPassing(path, isReadOnly: BundlePlace.isReadOnly(path))
    }
    var version: String { Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? "" }
    /// Differs between builds: after an update, and after a bundle is built or signed again with
    /// the same version.
    var build: String {
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String ?? ""
        let written = (try? FileManager.default.attributesOfItem(atPath: daemon.path))?[.modificationDate] as? Date
        return "\(version) \(written?.timeIntervalSince1970 ?? 0)"
    }
    var terminal: TerminalProgram {
        TerminalProgram(
            programs.appendingPathComponent("../Resources/bin/sallyport").standardizedFileURL,
            environment: ProcessInfo.processInfo.environment)
    }
    var daemon: URL { programs.appendingPathComponent("sallyportd") }
}
