/// Everything the app knows, as one value. What happens to it is in `ShellState.handle`; what is to
/// be done then, in `ShellEffect`.
public struct ShellState: Equatable, Sendable {
    public internal(set) var link = LinkState.connecting
    /// Nil while the daemon has not been asked, and while it is away.
    public internal(set) var status: DaemonStatus?
    public internal(set) var questions = SheetQueue<QuestionSheet>()
    public internal(set) var pairings = PairingQueue()
    public internal(set) var activity = ActivityTable()
    public internal(set) var presence: Presence
    public internal(set) var lists = ShellLists()
    /// What other shells ask and the person here is to confirm. Its window is open for as long as
    /// `confirmations.current` is there.
    public internal(set) var confirmations = SheetQueue<ConfirmationSheet>()
    /// What AI clients were refused and wait for, while its window is open.
    public internal(set) var requests: RequestList?
    /// The daemon tells when a list has changed, so that nothing is guessed from the activity.
    var followsChanges = false
    /// The daemon takes this app for one that can ask a person.
    var isAsked = true
    /// Its pane was looked at since Settings was opened: rows that nobody told of are missing there
    /// once a connection was lost.
    var showsActivity = false
    /// Pairing links that came before there was a daemon to ask.
    var waitingLinks: [String] = []
    /// Wanted to run: in this run nobody has stopped it yet, or somebody asked for it since.
    var mayStartDaemon = true
    var linkGaveUp = false
    var waitsForIdle = false
    /// How the daemon is started, where that is worth a note.
    var startNote: String?
    /// Get Started was open before, in this run or another.
    var hasShownFirstRun: Bool

    /// The bundle's path is gone after this run: it is handed to nobody.
    public let isPassing: Bool

    /// Of the app; empty where it is not known.
    let version: String

    public init(
        start: Presence.Start, isPassing: Bool = false, version: String = "", hasShownFirstRun: Bool = false
    ) {
        self.isPassing = isPassing
        self.version = version
        self.hasShownFirstRun = hasShownFirstRun
        presence = Presence(start: start)
    }

    /// Somebody answers: nothing is to be started in their place.
    public var isDaemonUp: Bool {
        switch link {
        case .connected, .untrusted, .denied: true
        case .connecting, .starting, .gaveUp: false
        }
    }

    /// The app's own, and the daemon's, escaped.
    public var shownNotes: [String] {
        let own = [isDaemonOld ? ShellState.oldDaemonNote : nil, startNote].compactMap { $0 }
        return own + (link == .connected ? status?.notes ?? [] : []).map(ShownText.oneLine)
    }

    public var menu: MenuContent { MenuContent(self) }
    public var server: ServerPane { ServerPane(link, status) }
}

/// What Settings lists, as the daemon gave it last.
public struct ShellLists: Equatable, Sendable {
    public var connections: [ConnectionView] = []
    public var tokens: [TokenView] = []
    /// Those seen last first. Nobody tells when they change: as of when the others were read.
    public var clients: [ClientView] = []
    public var settings: [SettingView] = []

    public init() {}
}

extension ControlClient {
    /// - Throws: `Failure`
    public func lists() async throws -> ShellLists {
        var lists = ShellLists()
        var from: Int? = 0
        while let start = from {
            let page = try await ask(Command.ConnectionsList(from: start))
            lists.connections += page.connections
            from = page.next
        }
        // A daemon from before this command has none to tell; a lost connection is told by the
        // next.
        lists.clients = (try? await ask(Command.ClientsList()).clients) ?? []
        lists.tokens = try await ask(Command.TokensList()).tokens
        lists.settings = try await ask(Command.SettingsList()).settings
        return lists
    }
}
