import AppKit
import Combine
import ShellRules

/// The app's one model. It holds `ShellState`, reports events to it, and performs the effects that
/// it returns. It decides nothing.
@MainActor
final class ShellModel: ObservableObject {
    @Published private(set) var state: ShellState
    /// True if Connect a Client is shown over Integrations.
    @Published var isConnectingClient = false

    static let firstRunKey = "hasShownFirstRun"
    let windows = Windows()
    let prompts = Prompts()
    private let menuBarItem = MenuBarItem()
    private let deskKey = DeskKey()
    let notices = Notices()
    let daemon: DaemonControl
    var client: ControlClient?
    private var link: Task<Void, Never>?
    var listLoading: Task<Void, Never>?

    init(daemon: DaemonControl = DaemonControl(), version: String = BundlePlaces().version) {
        state = ShellState(
            start: .byLink, isPassing: BundlePlaces().isPassing, version: version,
            hasShownFirstRun: UserDefaults.standard.bool(forKey: ShellModel.firstRunKey))
        self.daemon = daemon
        windows.model = self
        prompts.onShown = { [weak self] isShown in self?.send(.presence(isShown ? .opened(.prompt) : .closed(.prompt))) }
        notices.isNews = { [weak self] id in self?.isNews(id) ?? false }
        notices.onClicked = { [weak self] id in self?.send(.noticeClicked(id: id)) }
    }

    func start(_ start: Presence.Start) {
        runLink()
        switch start {
        case .byLink: break
        case .atLogin: send(.presence(.launchedAtLogin))
        // A launch by hand shows a window, as any app does.
        case .byHand:
            Task {
                await AppPresence.comeIntoTheDock()
                send(.launchedByHand)
            }
        }
    }

    func send(_ event: ShellEvent) {
        for effect in state.handle(event, at: .now) { perform(effect) }
        followState()
    }

    private func followState() {
        AppPresence.apply(state.presence.shown)
        menuBarItem.follow(self)
        deskKey.follow(self)
    }

    /// Keeps a connection to the daemon until the link gives up.
    func runLink() {
        link?.cancel()
        let daemonLink = daemon.link
        link = Task { [weak self] in
            await daemonLink.run(
                tell: { [weak self] event in await self?.linkTold(event) },
                notify: { [weak self] notification in await self?.send(.notification(notification)) })
        }
    }

    func linkTold(_ event: DaemonLink.Event) {
        switch event {
        case .connected(let client):
            self.client = client
            daemon.cameUp()
            client.onUnconfirmed { [weak self] in Task { @MainActor in self?.send(.unconfirmed) } }
        case .lost: client = nil
        case .absent, .untrusted, .gaveUp, .denied: break
        }
        send(.link(event))
    }

    private func isNews(_ id: String) -> Bool {
        state.isNews(id) && !windows.isInSight(.desk)
    }

    /// Asks the person if clients are connected. The question is an alert of the system: while the
    /// app is about to end, its own windows receive nothing.
    /// - Parameter isMeant: true asks nobody.
    func mayQuit(isMeant: Bool) async -> Bool {
        if isMeant { return true }
        guard await StoppingDaemon.isUsed(client) else { return true }
        return SystemAlert.isMeant(
            localized("Quit Sallyport?"),
            localized(
                "AI clients are connected, and lose their databases. To keep them connected, close Sallyport’s windows: it stays in the menu bar."
            ), yes: localized("Quit"), no: localized("Cancel"))
    }

    /// Quitting waits for this.
    func stop() async {
        await StoppingDaemon.ask(client, link: link)
        if state.link.isUnproved { _ = await daemon.brakes.ask(Command.Stop()) }
        daemon.endChild()
    }
}

extension Moment {
    static var now: Moment { Moment(wall: Date(), uptimeSeconds: ProcessInfo.processInfo.systemUptime) }
}
