import AppKit
import ShellRules

/// The apps that open addresses on this Mac (LaunchServices): looks one up for the daemon to judge,
/// and has one opened.
@MainActor
enum LinkHandlers {
    static func handler(of scheme: String) -> Command.PairingBegin.Handler? {
        guard let probe = URL(string: "\(scheme):"), let app = NSWorkspace.shared.urlForApplication(toOpen: probe) else {
            return nil
        }
        return Command.PairingBegin.Handler(scheme: scheme, app: FileManager.default.displayName(atPath: app.path))
    }

    /// - Parameter address: built by the daemon; opened as it stands.
    static func open(_ address: String) {
        guard let url = URL(string: address) else { return }
        NSWorkspace.shared.open(url)
    }
}
