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

    /// - Parameters:
    ///   - address: the daemon builds it; it is opened unchanged.
    ///   - app: as `handler(of:)` named it for the sheet. Nil on loopback.
    /// - Returns: false if another app has registered itself for such addresses meanwhile. Then
    ///   nothing is opened.
    static func open(_ address: String, takenBy app: String?) -> Bool {
        guard let url = URL(string: address) else { return true }
        if let app, let scheme = url.scheme, handler(of: scheme.lowercased())?.app != app { return false }
        NSWorkspace.shared.open(url)
        return true
    }
}
