import SwiftUI

/// The composition root. An app of SwiftUI needs a scene, and gets its menus from it; windows and
/// the menu-bar item are AppKit's, opened by `ShellModel`.
@main
struct SallyportApp: App {
    @NSApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        // Never opened: what opens it is replaced.
        Settings { EmptyView() }
            .commands { SettingsCommands(model: delegate.model) }
    }
}
