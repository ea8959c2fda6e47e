import AppKit

/// Quits the app as its menu does; `AppDelegate` then asks the daemon to stop. To be called where
/// AppKit handles an event, and from no task: that one would keep the main queue from the task that
/// waits for the daemon (github.com/manaflow-ai/cmux/issues/10788).
@MainActor
enum Quitting {
    static func quit() {
        NSApplication.shared.terminate(nil)
    }
}
