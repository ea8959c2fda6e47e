/// The events of the app, and the effects that follow.
public enum ShellEvent: Sendable {
    case link(DaemonLink.Event)
    case notification(ControlNotification)
    /// A `sallyport:` address that macOS handed over.
    case opened(address: String)
    case chose(MenuContent.Action)
    /// The notification about this was clicked.
    case noticeClicked(id: String)
    /// The user launched the app without a link.
    case launchedByHand
    /// The user opened the app while it ran: in Finder or by its Dock icon.
    case reopened
    case status(DaemonStatus)
    /// The answer of `ControlClient.attach()`.
    case attachment(ShellAttachment)
    case pairingBegun(AskView)
    case desk(DeskList.Event)
    /// For the card that is drawn, by its id.
    case sheet(id: String, AskSheet.Event)
    case presence(Presence.Event)
    /// At least part of the window is in sight.
    case seen(Presence.Window)
    /// How the daemon was started, if that needs a note.
    case started(note: String)
    /// The old daemon was asked to stop, so that the app's own can start.
    case restarting
    case lists(ShellLists)
    /// The last action gave more access, and nobody confirmed it.
    case unconfirmed
}

public enum SettingsPane: String, CaseIterable, Sendable {
    case connections, integrations, advanced

    public var label: String {
        switch self {
        case .connections: localized("Connections")
        case .integrations: localized("Integrations")
        case .advanced: localized("Advanced")
        }
    }
}

/// What the app does next. Each is one call to the outside, and an event tells its result.
public enum ShellEffect: Equatable, Sendable {
    /// `ControlClient.attach()`, then the event `.attachment`.
    case attach
    case askStatus
    /// Starts the LaunchAgent, or the child if macOS refuses.
    case startDaemon
    /// `Command.Stop` once `mayRestartDaemon` is true and `StoppingDaemon.isUsed` is false.
    /// `.restarting` comes before it.
    case restartWhenIdle
    /// Runs the `DaemonLink` again after it gave up.
    case reconnect
    /// Looks up the app that opens the scheme (nil: none), then `Command.PairingBegin`, then
    /// `.pairingBegun`.
    case beginPairing(link: String, redirectScheme: String?)
    /// For the card of this id. Its events follow.
    case sheet(id: String, AskSheet.Effect)
    /// `ControlClient.lists()`, then `.lists`. Also does `.askStatus`.
    case loadLists
    /// In front, with the keys.
    case showWindow(Presence.Window)
    /// The desk's window, in front without the keys.
    case showUnasked
    case closeWindow(Presence.Window)
    case notice(UserNotice)
    /// The same if `mayTellOfRequests`.
    case noticeIfWanted(UserNotice)
    case showSettings(SettingsPane)
    /// The sheet over Settings > Integrations.
    case showConnectClient
    case pause
    /// Gives more access, so it uses `askConfirming`.
    case resume
    /// Quits the app. It asks the daemon to stop first (spec §16), as LaunchAgent and as child
    /// alike.
    case quit
    /// A sentence in a window of its own.
    case tell(String)
}
