import AppKit
import ShellRules
import SwiftUI

/// The panes of Settings, each with a button in the window's toolbar, as in the settings of a Mac.
/// SwiftUI draws a `TabView` this way in a `Settings` scene only, and only a view can open that
/// scene.
@MainActor
struct SettingsTabs {
    let controller = NSTabViewController()

    init(_ model: ShellModel) {
        controller.tabStyle = .toolbar
        for pane in SettingsPane.allCases {
            let content = NSHostingController(rootView: SettingsView(model: model, pane: pane))
            content.sizingOptions = [.minSize]
            // The window shows this title while the pane is open.
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
        case .advanced: "gearshape.2"
        }
    }
}

/// One pane of Settings.
struct SettingsView: View {
    let model: ShellModel
    let pane: SettingsPane

    var body: some View {
        Group {
            switch pane {
            case .connections: ConnectionsPane(model: model)
            case .integrations: IntegrationsPane(model: model)
            case .advanced: AdvancedPane(model: model)
            }
        }
        .frame(minWidth: 680, minHeight: 460)
    }
}
