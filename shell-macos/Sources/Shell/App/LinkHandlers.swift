import AppKit
import ShellRules

/// Looks up the app that opens an address on this Mac (LaunchServices), so that the daemon can
/// judge it, and opens addresses.
@MainActor
enum LinkHandlers {
    static func handler(of scheme: String) -> Command.PairingBegin.Handler? {
        guard let probe = URL(string: "\(scheme):"), let app = NSWorkspace.shared.urlForApplication(toOpen: probe) else {
            return nil
        }
        return Command.PairingBegin.Handler(scheme: scheme, app: FileManager.default.displayName(atPath: app.path))
    }

    /// - Parameter address: the daemon builds it; it is opened unchanged.
    static func open(_ address: String) {
        guard let url = URL(string: address) else { return }
        NSWorkspace.shared.open(url)
    }
}
