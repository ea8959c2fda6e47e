import ShellRules
import SwiftUI

/// One pane of Settings.
struct SettingsView: View {
    let model: ShellModel
    let pane: SettingsPane

    var body: some View {
        Group {
            switch pane {
            case .connections: ConnectionsPane(model: model)
            case .integrations: IntegrationsPane(model: model)
            case .activity: ActivityPane(model: model)
            case .advanced: AdvancedPane(model: model)
            }
        }
        .frame(minWidth: 680, minHeight: 460)
    }
}
