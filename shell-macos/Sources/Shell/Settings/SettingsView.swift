import ShellRules
import SwiftUI

/// What Settings > Advanced adds to the panes that the menu can open.
enum SettingsTab: Hashable {
    case pane(SettingsPane)
    case advanced
}

struct SettingsView: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        TabView(selection: $model.tab) {
            ConnectionsPane(model: model)
                .tabItem { Label("Connections", systemImage: "cylinder.split.1x2") }
                .tag(SettingsTab.pane(.connections))
            IntegrationsPane(model: model)
                .tabItem { Label("Integrations", systemImage: "puzzlepiece.extension") }
                .tag(SettingsTab.pane(.integrations))
            ActivityPane(model: model)
                .tabItem { Label("Activity", systemImage: "list.bullet.rectangle") }
                .tag(SettingsTab.pane(.activity))
            AdvancedPane(model: model)
                .tabItem { Label("Advanced", systemImage: "gearshape.2") }
                .tag(SettingsTab.advanced)
        }
        .frame(minWidth: 680, idealWidth: 760, minHeight: 460, idealHeight: 560)
        .modifier(
            WindowWatch(
                onOpened: { model.send(.presence(.opened(.settings))) },
                onClosed: { model.send(.presence(.closed(.settings))) })
        )
        .alert("Sallyport could not do that", isPresented: hasProblem, presenting: model.problem) { _ in
            Button("OK", role: .cancel) {}
        } message: { problem in
            Text(verbatim: problem)
        }
    }

    private var hasProblem: Binding<Bool> {
        Binding(get: { model.problem != nil }, set: { if !$0 { model.problem = nil } })
    }
}
