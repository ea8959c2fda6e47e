import AppKit
import ShellRules

/// In the Dock or not, as ShellRules says (spec §2). `MenuBarItem` follows it too.
@MainActor
enum AppPresence {
    static func apply(_ shown: Presence.Shown) {
        let policy: NSApplication.ActivationPolicy = shown.dock ? .regular : .accessory
        let app = NSApplication.shared
        if app.activationPolicy() != policy { app.setActivationPolicy(policy) }
    }
}
