import AppKit

/// Brings a window to the front and gives it the keys, over the app that has them now. Only this
/// file does so, because the system sometimes declines each way (FB13212424).
@MainActor
enum Activation {
    /// Uses the older call, not `activate()` of macOS 14. The newer call only asks, and the system
    /// may leave the window behind without a word (github.com/apexskier/DefaultBrowser/pull/47,
    /// github.com/openjdk/jfx/pull/1685). If the system declines the older call too, the window
    /// stands in front of the others without the keys.
    static func bring(_ window: NSWindow?) {
        NSApplication.shared.activate(ignoringOtherApps: true)
        window?.makeKeyAndOrderFront(nil)
        window?.orderFrontRegardless()
    }
}
