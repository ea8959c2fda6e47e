/// The groups of Settings > Advanced, with the daemon's headings and order. Its texts are in the
/// user's language if the tables have them, otherwise in English.
public struct SettingGroup: Equatable, Identifiable, Sendable {
    public let title: String
    public let settings: [SettingView]

    public var id: String { title }

    /// - Parameter settings: in the daemon's order. The server's switch is left out: it is under
    ///   Integrations.
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

    /// The daemon's explanation, as a sentence.
    public var explanation: String {
        guard let first = about.first else { return "" }
        return localized(daemons: "\(first.uppercased())\(about.dropFirst()).")
    }
}
