import Foundation

@testable import ShellRules

/// The app without its windows: the state, and each effect on a real connection. Windows, notices
/// and opened addresses are only recorded.
actor RunningShell {
    private(set) var state = ShellState(start: .byLink)
    private(set) var client: ControlClient?
    private(set) var opened: [String] = []
    private(set) var shown: Set<Presence.Window> = []
    private(set) var notices: [UserNotice] = []
    private(set) var told: [String] = []

    func handle(_ event: ShellEvent) async {
        if case .link(.connected(let connected)) = event { client = connected }
        for effect in state.handle(event, at: RunningShell.now) { await perform(effect) }
    }

    static var now: Moment { Moment(wall: Date(), uptimeSeconds: ProcessInfo.processInfo.systemUptime) }

    private func decide(_ id: String, _ ask: () async throws -> DeskDecision) async {
        let event: AskSheet.Event
        do {
            event = .answered(try await ask())
        } catch ControlClient.Failure.refused(let error) { event = .refused(error) } catch { event = .connectionLost }
        await handle(.sheet(id: id, event))
    }

    private func perform(_ effect: ShellEffect) async {
        guard let client else { return }
        switch effect {
        case .attach:
            if let attachment = try? await client.attach() { await handle(.attachment(attachment)) }
        case .askStatus:
            if let status = try? await client.ask(Command.Status()) { await handle(.status(status)) }
        case .beginPairing(let link, _):
            do {
                await handle(.pairingBegun(try await client.ask(Command.PairingBegin(link: link, handler: nil))))
            } catch {
                told.append((error as? ControlClient.Failure)?.sentence ?? "\(error)")
            }
        case .sheet(let id, .decide(let decision, let passphrase)):
            await decide(id) { try await client.ask(decision, passphrase: passphrase, confirm: .app) }
        case .sheet(let id, .open(let command)):
            let event: AskSheet.Event
            do { event = .opened(try await client.ask(command).asks) } catch {
                event = .notOpened((error as? ControlClient.Failure)?.sentence ?? "\(error)")
            }
            await handle(.sheet(id: id, event))
        case .sheet(let id, .allowWriting(let command)):
            if (try? await client.ask(command)) != nil { await handle(.sheet(id: id, .allowedWriting)) }
        case .sheet(_, .visit(let address, _)): opened.append(address)
        case .showUnasked:
            shown.insert(.desk)
            await handle(.presence(.opened(.desk)))
        case .showWindow(let window):
            shown.insert(window)
            await handle(.presence(.opened(window)))
        case .closeWindow(let window):
            shown.remove(window)
            await handle(.presence(.closed(window)))
        case .notice(let notice): notices.append(notice)
        case .noticeIfWanted(let notice): if await client.mayTellOfRequests() { notices.append(notice) }
        case .tell(let sentence): told.append(sentence)
        case .loadLists:
            if let lists = try? await client.lists() { await handle(.lists(lists)) }
        case .startDaemon, .restartWhenIdle, .reconnect, .showSettings, .showConnectClient, .pause, .resume, .quit:
            break
        }
    }
}
