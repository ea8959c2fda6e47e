import AppKit

/// Brings a window to the front with the keys, over the app that has them now. The only place that
/// does: each way was found to be declined at times (FB13212424).
@MainActor
enum Activation {
    /// Not `activate()` of macOS 14: it asks, and the system may leave the window behind without a
    /// word, where the older call is still answered (github.com/apexskier/DefaultBrowser/pull/47,
    /// github.com/openjdk/jfx/pull/1685). Should it be declined all the same, the window stands in
    /// front of the others, without the keys.
    static func bring(_ window: NSWindow?) {
        NSApplication.shared.activate(ignoringOtherApps: true)
        window?.makeKeyAndOrderFront(nil)
        window?.orderFrontRegardless()
    }
}
