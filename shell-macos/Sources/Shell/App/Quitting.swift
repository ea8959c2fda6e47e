import AppKit

/// Quits the app as its menu does; `AppDelegate` then asks the daemon to stop.
@MainActor
enum Quitting {
    static func quit() {
        NSApplication.shared.terminate(nil)
    }
}
