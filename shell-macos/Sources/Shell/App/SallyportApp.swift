import SwiftUI

/// The composition root: which scenes there are. What they show is decided by ShellRules; what they do, by `ShellModel`.
@main
struct SallyportApp: App {
    @NSApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        MenuBarScene(model: delegate.model)
        Settings {
            SettingsView(model: delegate.model)
        }
    }
}
