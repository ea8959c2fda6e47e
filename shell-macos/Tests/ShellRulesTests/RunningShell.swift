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
        case .question(let id, .decide(let decision, let passphrase)):
            await handle(.question(id: id, await questionAnswer { .taken(try await client.ask(decision, typed: passphrase)) }))
        case .pairing(.decide(let decision, let passphrase)):
            await handle(.pairing(await pairingAnswer { .answered(try await client.ask(decision, typed: passphrase)) }))
        case .pairing(.tellClosed(let close)): _ = try? await client.ask(close)
        case .pairing(.open(let address, _)): opened.append(address)
        case .showWindow(let window):
            shown.insert(window)
            await handle(.presence(.opened(window)))
        case .closeWindow(let window):
            shown.remove(window)
            await handle(.presence(.closed(window)))
        case .notice(let notice): notices.append(notice)
        case .tell(let sentence): told.append(sentence)
        case .loadLists:
            if let lists = try? await client.lists() { await handle(.lists(lists)) }
        case .queryActivity(let page):
            if let answer = try? await client.ask(page.command) { await handle(.activity(.answered(answer, for: page))) }
        case .listRequests(let listing):
            if listing == .notice, await !client.mayTellOfRequests() { return }
            if let answer = try? await client.ask(Command.RequestsList()) {
                await handle(.requests(.listed(answer.requests, listing)))
            }
        case .openRequests(let command):
            let answer = await requestsAnswer {
                .list(.opened(try await client.ask(command).requests))
            } refused: {
                .notOpened(ids: command.ids, $0)
            }
            await handle(.requests(answer))
        case .answerRequests(let command):
            await handle(
                .requests(
                    await requestsAnswer {
                        let answer = try await client.ask(command)
                        return .answered(answer.outcome(of: answer.ids.count))
                    }))
        case .allowWriting(let command):
            await handle(
                .requests(
                    await requestsAnswer {
                        _ = try await client.ask(command)
                        return .answered(Command.ConnectionsSave.allowedWriting)
                    }))
        case .startDaemon, .restartWhenIdle, .confirmation, .reconnect, .showSettings, .showConnectClient, .pause, .resume, .quit:
            break
        }
    }

    private func questionAnswer(_ ask: () async throws -> QuestionSheet.Event) async -> QuestionSheet.Event {
        do { return try await ask() } catch ControlClient.Failure.refused(let error) { return .refused(error) } catch {
            return .connectionLost
        }
    }

    private func requestsAnswer(
        _ ask: () async throws -> RequestsEvent, refused: (String) -> RequestList.Event = { .refused($0) }
    ) async -> RequestsEvent {
        do { return try await ask() } catch { return .list(refused((error as? ControlClient.Failure)?.sentence ?? "\(error)")) }
    }

    private func pairingAnswer(_ ask: () async throws -> PairingSheet.Event) async -> PairingSheet.Event {
        do { return try await ask() } catch ControlClient.Failure.refused(let error) { return .refused(error) } catch {
            return .connectionLost
        }
    }
}
