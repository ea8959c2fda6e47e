/// The Settings window around one of its panes.
enum SettingsWindow {
    static let width = 760.0

    static func chrome(_ chosen: Int, _ tongue: Tongue) -> Picture.Chrome {
        .settings(tabs: tongue(["Connections", "Integrations", "Activity", "Advanced"]), chosen: chosen)
    }
}
