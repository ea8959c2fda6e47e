/// How the daemon's settings are laid out in Settings > Advanced: under its own headings, in its
/// own order. Its texts are in the user's language where the tables have them, else in English.
public struct SettingGroup: Equatable, Identifiable, Sendable {
    public let title: String
    public let settings: [SettingView]

    public var id: String { title }

    /// - Parameter settings: in the daemon's order. Its switch stands under Integrations, so it is
    ///   left out here.
    public static func groups(of settings: [SettingView]) -> [SettingGroup] {
        let shown = settings.filter { $0.key != "enabled" }
        let names: [String] = shown.map(\.group).reduce(into: []) { kept, name in if !kept.contains(name) { kept.append(name) } }
        return names.map { name in
            SettingGroup(title: localized(daemons: name), settings: shown.filter { $0.group == name })
        }
    }
}

extension SettingView {
    public var title: String { localized(daemons: label) }

    /// The daemon's words for what it is about, as a sentence.
    public var explanation: String {
        guard let first = about.first else { return "" }
        return localized(daemons: "\(first.uppercased())\(about.dropFirst()).")
    }
}
