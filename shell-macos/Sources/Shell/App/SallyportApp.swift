import SwiftUI

/// The composition root. A SwiftUI app needs a scene and gets its menus from it. The windows and
/// the menu-bar item are AppKit's; `ShellModel` opens them.
@main
struct SallyportApp: App {
    @NSApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        // Never opened: `SettingsCommands` replaces the command that would open it.
        Settings { EmptyView() }
            .commands { SettingsCommands(model: delegate.model) }
    }
}
