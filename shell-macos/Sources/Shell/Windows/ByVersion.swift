import AppKit
import SwiftUI

/// What each version of macOS wants done otherwise. Newer API is named in this file only.

/// Opens the Settings window.
enum OpeningSettings {
    /// Where there is no view to ask: presses the item that the Settings scene puts into the application's menu. While the app is
    /// being launched that may not be there yet: for a second it is looked for again.
    @MainActor
    static func fromApplicationMenu() {
        Activation.bring(nil)
        if pressMenuItem() { return }
        Task {
            for _ in 0..<10 {
                try await Task.sleep(for: .milliseconds(100))
                if pressMenuItem() { return }
            }
        }
    }

    @MainActor
    private static func pressMenuItem() -> Bool {
        guard let menu = NSApplication.shared.mainMenu?.items.first?.submenu,
            let index = menu.items.firstIndex(where: { $0.keyEquivalent == "," })
        else { return false }
        menu.performActionForItem(at: index)
        return true
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
            Activation.bring(nil)
            openSettings()
        }
    }
}
