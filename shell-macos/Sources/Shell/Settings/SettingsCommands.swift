import SwiftUI

/// Replaces SwiftUI's Settings command in the application menu (Command-comma).
struct SettingsCommands: Commands {
    let model: ShellModel

    var body: some Commands {
        CommandGroup(replacing: .appSettings) {
            Button("Settings…") { model.send(.chose(.openSettings)) }.keyboardShortcut(",")
        }
    }
}
