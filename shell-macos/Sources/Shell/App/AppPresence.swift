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

    /// As a launch by hand does, before its first window. What LSUIElement kept out of the Dock has
    /// dead menus if it comes into it while it launches, until the user has switched to another app
    /// and back (github.com/br1sk/brisk/pull/66,
    /// github.com/toggl-open-source/toggldesktop/pull/3965): hiding and showing it does that, by
    /// Apple's pages of the two.
    static func comeIntoTheDock() async {
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.hide(nil)
        try? await Task.sleep(for: .milliseconds(200))
        NSApplication.shared.unhide(nil)
    }
}
