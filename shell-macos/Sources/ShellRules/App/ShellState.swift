/// Everything the app knows, as one value. `ShellState.handle` takes the events, and `ShellEffect`
/// says what to do next.
public struct ShellState: Equatable, Sendable {
    public internal(set) var link = LinkState.connecting
    /// Nil before the daemon was asked and while it is away.
    public internal(set) var status: DaemonStatus?
    public internal(set) var desk = DeskList()
    public internal(set) var presence: Presence
    public internal(set) var lists = ShellLists()
    /// The daemon has accepted this app as one that can ask a person.
    var isAsked = true
    /// Pairing links that came before the daemon could be asked.
    var waitingLinks: [String] = []
    /// The app may start the daemon: nobody has stopped it in this run, or somebody asked for it
    /// since.
    var mayStartDaemon = true
    var linkGaveUp = false
    var waitsForIdle = false
    /// How the daemon was started, if that needs a note.
    var startNote: String?
    /// Get Started was open before, in this run or an earlier one.
    var hasShownFirstRun: Bool

    /// The bundle's path is gone after this run, so nothing may keep it.
    public let isPassing: Bool

    /// The app's version. Empty if it is unknown.
    let version: String

    public init(
        start: Presence.Start, isPassing: Bool = false, version: String = "", hasShownFirstRun: Bool = false
    ) {
        self.isPassing = isPassing
        self.version = version
        self.hasShownFirstRun = hasShownFirstRun
        presence = Presence(start: start)
    }

    /// Some process answers, so the app starts no daemon.
    public var isDaemonUp: Bool {
        switch link {
        case .connected, .untrusted, .denied: true
        case .connecting, .starting, .gaveUp: false
        }
    }

    /// The notes of the app and of the daemon, escaped.
    public var shownNotes: [String] {
        let own = [isDaemonOld ? ShellState.oldDaemonNote : nil, startNote].compactMap { $0 }
        let told = link == .connected ? status?.notes ?? [] : []
        return own + told.map { ShownText.oneLine($0.text) }
    }

    public var menu: MenuContent { MenuContent(self) }
    public var server: ServerPane { ServerPane(link, status) }
}

/// The lists of Settings, as the daemon gave them last.
public struct ShellLists: Equatable, Sendable {
    public var connections: [ConnectionView] = []
    public var tokens: [TokenView] = []
    /// Last seen first. The daemon tells no changes, so they are as old as the other lists.
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
        // An old daemon lacks this command. The next command tells of a lost connection.
        lists.clients = (try? await ask(Command.ClientsList()).clients) ?? []
        lists.tokens = try await ask(Command.TokensList()).tokens
        lists.settings = try await ask(Command.SettingsList()).settings
        return lists
    }
}
