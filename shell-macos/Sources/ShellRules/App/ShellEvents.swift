/// What can happen to the app, and what it is to do then.
public enum ShellEvent: Sendable {
    case link(DaemonLink.Event)
    case notification(ControlNotification)
    /// A `sallyport:` address that the system handed over.
    case opened(address: String)
    case chose(MenuContent.Action)
    /// The notification about this question was clicked.
    case noticeClicked(id: String)
    /// The user launched the app, and no link did.
    case launchedByHand
    /// The user opened the app while it ran: in Finder or by its Dock icon.
    case reopened
    case status(DaemonStatus)
    /// What `ControlClient.attach()` gave.
    case attachment(ShellAttachment)
    case pairingBegun(PairingView)
    case question(id: String, QuestionSheet.Event)
    case pairing(PairingSheet.Event)
    case confirmation(id: String, ConfirmationSheet.Event)
    case presence(Presence.Event)
    /// At least a part of the window is in sight.
    case seen(Presence.Window)
    /// How the daemon is started, where that is worth a note.
    case started(note: String)
    /// The old daemon was asked to stop, for the app's own to start.
    case restarting
    case lists(ShellLists)
    case activity(ActivityEvent)
    case requests(RequestsEvent)
    /// What was just done gave more access, and nobody confirmed it.
    case unconfirmed
}

/// Of the Activity table.
public enum ActivityEvent: Equatable, Sendable {
    case shown
    case setFilter(ActivityTable.Filter)
    /// The table was scrolled to its end.
    case wantsOlder
    case follow(Bool)
    case answered(ActivityPage, for: ActivityTable.Page)
}

public enum SettingsPane: String, CaseIterable, Sendable {
    case connections, integrations, activity, advanced

    public var label: String {
        switch self {
        case .connections: localized("Connections")
        case .integrations: localized("Integrations")
        case .activity: localized("Activity")
        case .advanced: localized("Advanced")
        }
    }
}

/// What the app is to do. Each is one call of the outside; what comes of it is told by an event.
public enum ShellEffect: Equatable, Sendable {
    /// `ControlClient.attach()`, then `.attachment`.
    case attach
    case askStatus
    /// The LaunchAgent, or the child where that was refused.
    case startDaemon
    /// `Command.Stop` once `mayRestartDaemon` and no `StoppingDaemon.isUsed`; `.restarting` before
    /// it.
    case restartWhenIdle
    /// Run the `DaemonLink` again, which has given up.
    case reconnect
    /// Look up the app that opens the scheme (nil: none to look up), then `Command.PairingBegin`,
    /// then `.pairingBegun`.
    case beginPairing(link: String, redirectScheme: String?)
    case question(id: String, QuestionSheet.Effect)
    case pairing(PairingSheet.Effect)
    case confirmation(ConfirmationSheet.Effect)
    /// `ControlClient.lists()`, then `.lists`; and as `.askStatus`, for what stands beside them.
    case loadLists
    /// Then `.activity(.answered)`.
    case queryActivity(ActivityTable.Page)
    /// `Command.RequestsList`, then `.requests(.listed)` with the same; for a notice where
    /// `mayTellOfRequests`.
    case listRequests(RequestsListing)
    /// Then `.requests(.list)` with `.opened` or `.notOpened`.
    case openRequests(Command.RequestsOpen)
    /// By `askConfirming`; then `.requests(.answered)`, `.list(.refused)` or `.list(.gaveUp)`.
    case answerRequests(Command.RequestsDecide)
    /// The same.
    case allowWriting(Command.ConnectionsSave)
    case showWindow(Presence.Window)
    case closeWindow(Presence.Window)
    case notice(UserNotice)
    case showSettings(SettingsPane)
    /// The sheet over Settings > Integrations.
    case showConnectClient
    case pause
    /// Widens: by `askConfirming`.
    case resume
    /// Ends the app. The daemon is asked to stop first (spec §16), as LaunchAgent and as child
    /// alike.
    case quit
    /// A sentence in a window of its own.
    case tell(String)
}
