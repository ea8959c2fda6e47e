/// Refused requests of AI clients that wait: the menu's row, the window and the notice.
extension ShellState {
    /// Zero while the daemon is away.
    var requestsWaiting: Int { link == .connected ? status?.requestsWaiting ?? 0 : 0 }

    /// The id of the one notice about requests. Nothing else has it.
    static let requestsNotice = "access-requests"

    mutating func requestsChanged(waiting: Int) -> [ShellEffect] {
        guard let former = status?.requestsWaiting else { return [] }
        status?.requestsWaiting = waiting
        presence.handle(.questionsWaiting(everyWaitingCount))
        requests?.changedElsewhere()
        if waiting == 0 { return [.notice(.withdraw(id: ShellState.requestsNotice))] }
        return waiting > former && requests == nil ? [.listRequests(.notice)] : []
    }

    var showRequests: [ShellEffect] {
        requests == nil ? [.listRequests(.open)] : [.showWindow(.requests)]
    }

    mutating func handle(_ event: RequestsEvent, at now: Moment) -> [ShellEffect] {
        switch event {
        case .listed(let views, .notice): return requests == nil ? UserNotice.forRequests(views).map { [.notice($0)] } ?? [] : []
        // The window was closed meanwhile and stays closed.
        case .listed(_, .again) where requests == nil: return []
        case .listed(let views, let listing):
            requests = RequestList(views, outcome: requests?.outcome, isAgain: listing == .again)
            status?.requestsWaiting = views.count
            presence.handle(.questionsWaiting(everyWaitingCount))
            let show: [ShellEffect] = listing == .open ? [.showWindow(.requests)] : []
            return show + asked(requests?.open()) + [.notice(.withdraw(id: ShellState.requestsNotice))]
        case .list(let event):
            // A person who has closed the window is told too.
            if case .refused(let sentence) = event, requests == nil { return [.tell(ShownText.oneLine(sentence))] }
            return asked(requests?.handle(event, at: now))
        case .answered(let outcome):
            guard requests != nil else { return [.tell(outcome)] }
            requests?.became(outcome)
            return [.listRequests(.again)]
        }
    }

    private mutating func asked(_ effect: RequestList.Effect?) -> [ShellEffect] {
        switch effect {
        case .open(let command): return [.openRequests(command)]
        case .decide(let command): return [.answerRequests(command)]
        case .allowWriting(let command): return [.allowWriting(command)]
        case .listAgain:
            requests?.forgetOutcome()
            return [.listRequests(.again)]
        case .close: return [.closeWindow(.requests)]
        case nil: return []
        }
    }
}

extension ControlClient {
    /// Whether the person wants notifications of requests: the setting `requests.notify`.
    public func mayTellOfRequests() async -> Bool {
        (try? await ask(Command.SettingsGet(key: "requests.notify")))?.value != .boolean(false)
    }
}

/// Events of the access requests.
public enum RequestsEvent: Equatable, Sendable {
    case listed([AccessRequestView], RequestsListing)
    case list(RequestList.Event)
    /// The daemon did what it was asked. The sentence tells the result, escaped.
    case answered(String)
}

/// Why the requests are listed.
public enum RequestsListing: Equatable, Sendable {
    /// To open the window.
    case open
    /// To refresh the open window.
    case again
    /// For a notification, if the person wants one.
    case notice
}
