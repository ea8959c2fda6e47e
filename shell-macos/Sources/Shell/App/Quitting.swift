import AppKit
import ShellRules

/// Quits the app as its menu does; `AppDelegate` then asks the daemon to stop. To be called where AppKit handles an event, and from no
/// task: that one would keep the main queue from the task that waits for the daemon (github.com/manaflow-ai/cmux/issues/10788).
@MainActor
enum Quitting {
    static func quit() {
        NSApplication.shared.terminate(nil)
    }

    /// Asks, where clients are connected. An alert of AppKit's: while the app is about to end, no window of ours hears anything.
    static func isMeant() -> Bool {
        Activation.bring(nil)
        let alert = NSAlert()
        alert.messageText = localized("Quit Sallyport?")
        alert.informativeText = localized(
            "AI clients are connected, and lose their databases. To keep them connected, close Sallyport’s windows: it stays in the menu bar."
        )
        alert.addButton(withTitle: localized("Quit"))
        alert.addButton(withTitle: localized("Cancel"))
        return alert.runModal() == .alertFirstButtonReturn
    }
}
