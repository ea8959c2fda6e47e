import AppKit
import Combine
import ShellRules

/// The app's one model: holds `ShellState`, tells it what happened, and has done what it answers.
/// Decides nothing itself.
@MainActor
final class ShellModel: ObservableObject {
    @Published private(set) var state = ShellState(start: .byLink, isPassing: BundlePlaces().isPassing)
    /// Connect a Client is to be drawn over Integrations.
    @Published var isConnectingClient = false

    let windows = Windows()
    let confirmationWindow = ConfirmationWindowKeeper()
    let prompts = Prompts()
    private let menuBarItem = MenuBarItem()
    let notices = Notices()
    let daemon: DaemonControl
    var client: ControlClient?
    private var link: Task<Void, Never>?
    var listLoading: Task<Void, Never>?

    init(daemon: DaemonControl = DaemonControl()) {
        self.daemon = daemon
        windows.model = self
        prompts.onShown = { [weak self] isShown in self?.send(.presence(isShown ? .opened(.prompt) : .closed(.prompt))) }
        notices.onClicked = { [weak self] id in
            self?.send(.noticeClicked(id: id))
            self?.confirmationWindow.comeToFront()
        }
    }

    func start(_ start: Presence.Start) {
        // Opened by hand it shows a window, as any app does.
        if start == .byHand { send(.launchedByHand) }
        runLink()
    }

    func send(_ event: ShellEvent) {
        for effect in state.handle(event, at: .now) { perform(effect) }
        followState()
    }

    /// On what another shell asks.
    func confirm(_ event: ConfirmationSheet.Event, for id: String) {
        let effect = state.confirm(event, for: id, at: .now)
        followState()
        if case .decide(let command) = effect { Task { await decide(command) } }
    }

    private func followState() {
        AppPresence.apply(state.presence.shown)
        menuBarItem.follow(self)
        confirmationWindow.follow(self)
    }

    /// Keeps a connection to the daemon until it gives up.
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

    /// What quitting waits for.
    func stop() async {
        await StoppingDaemon.ask(client, link: link)
        daemon.endChild()
    }
}

extension Moment {
    static var now: Moment { Moment(wall: Date(), uptimeSeconds: ProcessInfo.processInfo.systemUptime) }
}
