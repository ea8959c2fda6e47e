import SwiftUI

/// Settings in the application's menu, by Command-comma: ours in the place of SwiftUI's.
struct SettingsCommands: Commands {
    let model: ShellModel

    var body: some Commands {
        CommandGroup(replacing: .appSettings) {
            Button("Settings…") { model.send(.chose(.openSettings)) }.keyboardShortcut(",")
        }
    }
}
