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
        case .question(let id, .decide(let command, let passphrase)):
            decide(
                command, passphrase, { .question(id: id, .taken($0)) }, { .question(id: id, .refused($0)) },
                .question(id: id, .connectionLost))
        case .pairing(.decide(let command, let passphrase)):
            decide(command, passphrase, { .pairing(.answered($0)) }, { .pairing(.refused($0)) }, .pairing(.connectionLost))
        case .pairing(.tellClosed(let command)): Task { await attempt(command, passphrase: nil) }
        case .pairing(.open(let address, let app)):
            if !LinkHandlers.open(address, takenBy: app) { windows.tell(PairingSheet.otherAppSentence) }
        case .confirmation(.decide(let command, let passphrase)):
            let id = command.id
            decide(
                command, passphrase, { .confirmation(id: id, .taken($0)) }, { .confirmation(id: id, .refused($0)) },
                .confirmation(id: id, .connectionLost))
        case .loadLists: loadLists()
        case .queryActivity(let page): Task { await query(page) }
        case .listRequests(let listing): Task { await listRequests(listing) }
        case .openRequests(let command): Task { await open(command) }
        case .answerRequests(let command):
            Task { await answer(command) { $0.outcome(of: $0.ids.count) } }
        case .allowWriting(let command): Task { await answer(command) { _ in Command.ConnectionsSave.allowedWriting } }
        case .showWindow(let window): windows.show(window)
        case .closeWindow(let window): windows.close(window)
        case .notice(let notice): notices.give(notice)
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

    private func decide<Asked: ControlCommand>(
        _ command: Asked, _ passphrase: TypedPassphrase?, _ taken: @escaping (Asked.Answer) -> ShellEvent,
        _ refused: @escaping (ControlError) -> ShellEvent, _ lost: ShellEvent
    ) {
        Task {
            switch await attempt(command, passphrase: passphrase) {
            case .success(let answer): send(taken(answer))
            case .failure(.refused(let error)): send(refused(error))
            case .failure: send(lost)
            }
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

    private func listRequests(_ listing: RequestsListing) async {
        if listing == .notice, await client?.mayTellOfRequests() != true { return }
        switch await attempt(Command.RequestsList()) {
        case .success(let answer): send(.requests(.listed(answer.requests, listing)))
        case .failure(let failure): if listing == .open { windows.tell(failure.sentence) }
        }
    }

    private func open(_ command: Command.RequestsOpen) async {
        switch await attempt(command) {
        case .success(let answer): send(.requests(.list(.opened(answer.requests))))
        case .failure(let failure): send(.requests(.list(.notOpened(ids: command.ids, failure.sentence))))
        }
    }

    private func answer<Asked: ControlCommand>(_ command: Asked, _ outcome: (Asked.Answer) -> String) async {
        switch await attempt(command) {
        case .success(let answer):
            loadLists()
            send(.requests(.answered(outcome(answer))))
        case .failure(let failure):
            send(.requests(.list(failure.isGivenUp ? .gaveUp : .refused(failure.sentence))))
        }
    }

    private func query(_ page: ActivityTable.Page) async {
        if let answer = await answer(to: page.command) { send(.activity(.answered(answer, for: page))) }
    }
}
