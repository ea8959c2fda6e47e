import AppKit
import SwiftUI

/// What each version of macOS wants done otherwise. Newer API is named in this file only.

/// Brings the app to the front, over the one that has the keys now.
@MainActor
enum Activation {
    static func activate() {
        if #available(macOS 14, *) {
            NSApplication.shared.activate()
        } else {
            NSApplication.shared.activate(ignoringOtherApps: true)
        }
    }
}

/// Opens the Settings window.
enum OpeningSettings {
    /// Where there is no view to ask: presses the item that the Settings scene has put into the application's menu.
    @MainActor
    static func fromApplicationMenu() {
        Activation.activate()
        guard let menu = NSApplication.shared.mainMenu?.items.first?.submenu,
            let index = menu.items.firstIndex(where: { $0.keyEquivalent == "," })
        else { return }
        menu.performActionForItem(at: index)
    }
}

/// Content that can open Settings.
struct WithSettings<Content: View>: View {
    @ViewBuilder let content: @MainActor (_ open: @escaping @MainActor () -> Void) -> Content

    var body: some View {
        if #available(macOS 14, *) {
            WithSettingsAction(content: content)
        } else {
            content { OpeningSettings.fromApplicationMenu() }
        }
    }
}

@available(macOS 14, *)
private struct WithSettingsAction<Content: View>: View {
    @ViewBuilder let content: @MainActor (_ open: @escaping @MainActor () -> Void) -> Content
    @Environment(\.openSettings) private var openSettings

    var body: some View {
        content {
            Activation.activate()
            openSettings()
        }
    }
}
