import AppKit
import ShellRules

/// Performs the effects of `ShellState`. Each effect is one call to the outside, and its outcome
/// returns as an event.
extension ShellModel {
    func perform(_ effect: ShellEffect) {
        switch effect {
        case .attach: Task { await attach() }
        case .askStatus: Task { await askStatus() }
        case .startDaemon: Task { await startDaemon() }
        case .restartWhenIdle: Task { await restartWhenIdle() }
        case .reconnect: runLink()
        case .beginPairing(let link, let scheme): Task { await beginPairing(link, scheme) }
        case .sheet(let id, .open(let command)): Task { await open(command, id) }
        case .sheet(let id, .decide(let command, let passphrase)): Task { await decide(command, passphrase, id) }
        case .sheet(let id, .allowWriting(let command)):
            Task {
                if await ask(command) != nil { send(.sheet(id: id, .allowedWriting)) } else { send(.sheet(id: id, .gaveUp)) }
            }
        case .sheet(_, .visit(let address, let app)):
            if !LinkHandlers.open(address, takenBy: app) { windows.tell(PairingChoices.otherAppSentence) }
        case .loadLists: loadLists()
        case .showWindow(let window): windows.show(window)
        case .showUnasked: windows.showDesk(isUnasked: true)
        case .closeWindow(let window): windows.close(window)
        case .notice(let notice): notices.give(notice)
        case .noticeIfWanted(let notice): Task { if await client?.mayTellOfRequests() == true { notices.give(notice) } }
        case .showSettings(let pane): windows.showSettings(pane)
        case .showConnectClient:
            isConnectingClient = true
            windows.showSettings(.integrations)
        case .pause: Task { await ask(Command.Pause()) }
        case .resume: Task { await ask(Command.Resume()) }
        case .quit: NSApplication.shared.terminate(nil)
        case .tell(let sentence): windows.tell(sentence)
        }
    }

    private func attach() async {
        if let attachment = try? await client?.attach() { send(.attachment(attachment)) }
    }

    private func askStatus() async {
        if case .success(let status) = await attempt(Command.Status()) { send(.status(status)) }
    }

    func startDaemon() async {
        if let problem = await daemon.start() { return windows.tell(DaemonStart.failedSentence(problem)) }
        while await daemon.waitForAgent(), !state.isDaemonUp {
            if await daemon.isOnItsWay() {
                send(.started(note: DaemonStart.slowNote))
            } else if let problem = daemon.fallBack() {
                windows.tell(DaemonStart.failedSentence(problem))
            } else {
                send(.started(note: DaemonStart.fellBackSentence))
            }
        }
    }

    private func restartWhenIdle() async {
        let old = client
        while let old, client === old {
            if state.mayRestartDaemon, await !StoppingDaemon.isUsed(old), state.mayRestartDaemon {
                send(.restarting)
                _ = try? await old.ask(Command.Stop())
                return
            }
            guard (try? await daemon.pause(DaemonStart.secondsBetweenLooks)) != nil else { return }
        }
    }

    private func beginPairing(_ link: String, _ scheme: String?) async {
        let handler = scheme.flatMap { LinkHandlers.handler(of: $0) }
        if let view = await answer(to: Command.PairingBegin(link: link, handler: handler)) { send(.pairingBegun(view)) }
    }

    private func decide(_ command: Command.DeskDecide, _ passphrase: String?, _ id: String) async {
        switch await attempt(command, passphrase: passphrase) {
        case .success(let answer): send(.sheet(id: id, .answered(answer)))
        case .failure(.refused(let error)): send(.sheet(id: id, .refused(error)))
        case .failure: send(.sheet(id: id, .connectionLost))
        }
    }

    private func open(_ command: Command.DeskOpen, _ id: String) async {
        switch await attempt(command) {
        case .success(let answer): send(.sheet(id: id, .opened(answer.asks)))
        case .failure(let failure): send(.sheet(id: id, .notOpened(failure.sentence)))
        }
    }

    /// Several changes in a row cause one load.
    func loadLists() {
        listLoading?.cancel()
        listLoading = Task { [weak self] in
            guard (try? await Task.sleep(for: .milliseconds(150))) != nil else { return }
            if let lists = await self?.lists() { self?.send(.lists(lists)) }
            await self?.askStatus()
        }
    }

    private func lists() async -> ShellLists? {
        if let client { return try? await client.lists() }
        return state.link.isUnproved ? await daemon.brakes.lists() : nil
    }
}
