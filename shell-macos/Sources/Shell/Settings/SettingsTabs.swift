import AppKit
import ShellRules
import SwiftUI

/// The panes of Settings, each under its button in the window's toolbar, as settings of a Mac
/// stand. SwiftUI draws a `TabView` so in a `Settings` scene alone, and that one nothing but a view
/// can open.
@MainActor
struct SettingsTabs {
    let controller = NSTabViewController()

    init(_ model: ShellModel) {
        controller.tabStyle = .toolbar
        for pane in SettingsPane.allCases {
            let content = NSHostingController(rootView: SettingsView(model: model, pane: pane))
            content.sizingOptions = [.minSize]
            // Shown as the window's, while its pane is.
            content.title = pane.label
            let tab = NSTabViewItem(viewController: content)
            tab.label = pane.label
            tab.image = NSImage(systemSymbolName: pane.symbol, accessibilityDescription: nil)
            controller.addTabViewItem(tab)
        }
    }

    func select(_ pane: SettingsPane) {
        controller.selectedTabViewItemIndex = SettingsPane.allCases.firstIndex(of: pane) ?? 0
    }
}

extension SettingsPane {
    fileprivate var symbol: String {
        switch self {
        case .connections: "cylinder.split.1x2"
        case .integrations: "puzzlepiece.extension"
        case .activity: "list.bullet.rectangle"
        case .advanced: "gearshape.2"
        }
    }
}
