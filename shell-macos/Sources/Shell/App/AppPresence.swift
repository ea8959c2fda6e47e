import AppKit
import ShellRules

/// Shows the app in the Dock or hides it, as ShellRules says (spec §2). `MenuBarItem` follows the
/// same rule.
@MainActor
enum AppPresence {
    static func apply(_ shown: Presence.Shown) {
        let policy: NSApplication.ActivationPolicy = shown.dock ? .regular : .accessory
        let app = NSApplication.shared
        if app.activationPolicy() != policy { app.setActivationPolicy(policy) }
    }

    /// Runs at a launch by hand, before the first window. LSUIElement keeps the app out of the
    /// Dock. If the app enters the Dock while it launches, its menus are dead until the user
    /// switches to another app and back (github.com/br1sk/brisk/pull/66,
    /// github.com/toggl-open-source/toggldesktop/pull/3965). Hiding and showing the app has the
    /// same effect, by Apple's pages of the two calls.
    static func comeIntoTheDock() async {
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.hide(nil)
        try? await Task.sleep(for: .milliseconds(200))
        NSApplication.shared.unhide(nil)
    }
}
