/// What the menu-bar item shows (spec §16).
public struct MenuContent: Equatable, Sendable {
    public enum Icon: Equatable, Sendable {
        case running, off, paused, troubled, asking
    }

    public enum Action: Hashable, Sendable {
        case showDesk, explain, pause, resume, startDaemon, getStarted, connectClient
        case openSettings, showActivity, quit
    }

    public enum Item: Equatable, Sendable {
        /// Dimmed: it does nothing.
        case text(String)
        case button(Action, String)
        case separator
    }

    public let icon: Icon
    /// Beside the icon. Nil for none.
    public let badge: String?
    /// For VoiceOver.
    public let spoken: String
    public let items: [Item]

    public init(_ state: ShellState) {
        let count = state.desk.choosable.count
        let waiting =
            count > 0 ? counted(count, one: "\(number: count) waits for you", other: "\(number: count) wait for you") : nil
        icon = MenuContent.icon(state, asking: count > 0)
        badge = count > 0 ? String(count) : nil
        let headline = MenuContent.headline(state)
        spoken = waiting.map { localized("\(headline). \($0)") } ?? headline

        var items: [Item] = [.text(headline)]
        if state.link == .connected, !state.isAsked { items.append(.text(localized("Questions go to a terminal"))) }
        if !state.explanation.isEmpty {
            items.append(.button(.explain, state.link.isTroubled ? localized("Why?") : localized("Notes…")))
        }
        if let waiting { items.append(.button(.showDesk, localized("\(waiting)…"))) }
        items.append(.separator)
        items += MenuContent.serverItems(state)
        if state.isWithoutConnections { items.append(.button(.getStarted, localized("Get Started…"))) }
        items += [
            .button(.connectClient, localized("Connect a Client…")),
            .button(.showActivity, localized("Activity…")),
            .button(.openSettings, localized("Settings…")),
            .separator,
            .button(.quit, localized("Quit Sallyport")),
        ]
        self.items = items
    }

    /// The terminal has the log, and the statements that were kept.
    static var activitySentence: String {
        localized(
            "A terminal shows what AI clients did, and what was refused them: `sallyport activity`. The statements that were kept: `sallyport history`."
        )
    }

    private static func icon(_ state: ShellState, asking: Bool) -> Icon {
        guard state.link == .connected, let status = state.status else { return state.link.isTroubled ? .troubled : .off }
        if asking { return .asking }
        switch status.state {
        case .ready: return .running
        case .paused: return .paused
        case .starting, .off, .stopping: return .off
        }
    }

    private static func headline(_ state: ShellState) -> String {
        guard state.link == .connected, let status = state.status else { return state.link.headline }
        guard status.state == .ready, let port = status.port else { return ServerPane.headline(status) }
        return localized("Sallyport is running on port \(String(port))")
    }

    private static func serverItems(_ state: ShellState) -> [Item] {
        guard state.link == .connected else {
            if state.link == .connecting || state.link == .starting { return [] }
            let mayPause = state.link.isUnproved && state.status?.state == .ready
            return [.button(.startDaemon, state.link.startLabel)] + (mayPause ? [.button(.pause, localized("Pause"))] : [])
        }
        switch state.status?.state {
        case .ready: return [.button(.pause, localized("Pause"))]
        case .paused: return [.button(.resume, localized("Resume"))]
        case .starting, .off, .stopping, nil: return []
        }
    }
}

extension ShellState {
    /// What the menu's headline leaves out, in sentences, escaped. A menu breaks no line, so a
    /// window shows them.
    var explanation: [String] { (link.sentence.map { [ShownText.sentence($0)] } ?? []) + shownNotes }
}
