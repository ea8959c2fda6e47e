/// How the daemon's settings are laid out in Settings > Advanced: grouped, and by names people read. One that a later daemon adds
/// stands under its own key in the last group.
public struct SettingGroup: Equatable, Identifiable, Sendable {
    public let title: String
    public let settings: [SettingView]

    public var id: String { title }

    /// - Parameter settings: in the daemon's order. Its switch stands under Integrations, so it is left out here.
    public static func groups(of settings: [SettingView]) -> [SettingGroup] {
        let shown = settings.filter { $0.key != "enabled" }
        let known = layout.map { title, members in
            SettingGroup(title: localized(title), settings: members.compactMap { member in shown.first { $0.key == member.key } })
        }
        let others = SettingGroup(title: localized("Other"), settings: shown.filter { labels[$0.key] == nil })
        return (known + [others]).filter { !$0.settings.isEmpty }
    }

    private static let layout: [(title: Wording, settings: [(key: String, label: Wording)])] = [
        (
            "Server",
            [
                ("port", "Port"), ("port.fallback", "Use another port while it is taken"),
                ("limits.requestsPerMinute", "Requests a minute"), ("limits.concurrentRequests", "Requests at once"),
            ]
        ),
        (
            "Safety",
            [
                ("keychain", "Keychain"), ("approval.rememberHours", "Remember approvals for"),
                ("writes.maxRows", "Rows changed in an hour"), ("requests.notify", "Notify of requests"),
            ]
        ),
        (
            "Results",
            [
                ("results.defaultRows", "Rows by default"), ("results.maxRows", "Rows at most"),
                ("results.defaultBytes", "Size of a result by default"), ("results.maxBytes", "Size of a result at most"),
                ("results.maxCellBytes", "Size of a cell at most"),
                ("query.defaultSeconds", "Time of a statement by default"), ("query.maxSeconds", "Time of a statement at most"),
            ]
        ),
        (
            "History and log",
            [
                ("history", "Keep the history of statements"), ("history.days", "Days of history"),
                ("log.level", "Level of the daemon’s log"),
            ]
        ),
    ]

    fileprivate static let labels = Dictionary(uniqueKeysWithValues: layout.flatMap(\.settings).map { ($0.key, $0.label) })
}

extension SettingView {
    public var label: String { SettingGroup.labels[key].map(localized) ?? key }

    /// The daemon's words for what it is about, as a sentence.
    public var explanation: String {
        guard let first = about.first else { return "" }
        return localized(daemons: "\(first.uppercased())\(about.dropFirst()).")
    }
}
