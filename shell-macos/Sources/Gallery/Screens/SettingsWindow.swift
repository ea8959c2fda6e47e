import ShellRules

/// The Settings window around one of its panes.
enum SettingsWindow {
    static let width = 760.0

    static func chrome(_ chosen: Int) -> Picture.Chrome {
        .settings(
            tabs: SettingsPane.allCases.map(\.label), chosen: chosen)
    }
}
