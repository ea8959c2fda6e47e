extension ShellState {
    public mutating func handle(_ event: ShellEvent, at now: Moment) -> [ShellEffect] {
        switch event {
        case .link(let event): return linkChanged(event, at: now)
        case .notification(let notification): return told(notification, at: now)
        case .opened(let address): return opened(address)
        case .chose(let action): return chose(action)
        case .noticeClicked(ShellState.requestsNotice): return showRequests
        case .noticeClicked(let id):
            if confirmations.sheets.contains(where: { $0.id == id }) { return [.showWindow(.confirmation)] }
            return questions.sheets.contains { $0.id == id } ? [.showWindow(.question)] : []
        case .launchedByHand: return handle(.reopened, at: now) + (isPassing ? [.tell(BundlePlace.moveSentence)] : [])
        case .reopened:
            presence.handle(.openedByHand)
            let again = link == .denied ? wantDaemon() : []
            return again + (presence.windows.isEmpty ? [.showSettings(.connections)] : [])
        case .seen(let window): return seen(window)
        case .started(let note):
            startNote = note
            return []
        case .restarting:
            mayStartDaemon = true
            return []
        case .status(let status):
            self.status = status
            presence.handle(.questionsWaiting(everyWaitingCount))
            return restartIfOld()
        case .attachment(let attachment):
            followsChanges = attachment.followsChanges
            isAsked = attachment.isAsked
            status = attachment.status
            presence.handle(.questionsWaiting(everyWaitingCount))
            return attachment.questions.flatMap { asked($0, at: now) } + confirmationsAsked(attachment.confirmations, at: now)
                + loadLists + loadActivity() + restartIfOld() + offerFirstRun()
        case .confirmation(let id, let event):
            let effect = confirmations.handle(event, for: id, at: now)
            return (effect.map { [.confirmation($0)] } ?? []) + changed(id, in: confirmations, .confirmation)
        case .pairingBegun(let view):
            pairings.add(view, at: now)
            return pairings.current?.id == view.id ? [.showWindow(.pairing)] : []
        case .question(let id, let event):
            let effect = questions.handle(event, for: id, at: now)
            return (effect.map { [.question(id: id, $0)] } ?? []) + changed(id, in: questions, .question)
        case .pairing(let event):
            let former = pairings.current?.id
            let effect = pairings.handle(event, at: now)
            return (effect.map { [.pairing($0)] } ?? []) + pairingChanged(from: former)
        case .presence(let event):
            presence.handle(event)
            if event == .closed(.settings) { showsActivity = false }
            if event == .closed(.requests) { requests = nil }
            return event == .opened(.settings) || event == .opened(.firstRun) ? loadLists : []
        case .lists(let lists):
            self.lists = lists
            return []
        case .activity(let event): return activityChanged(event)
        case .requests(let event): return handle(event, at: now)
        case .unconfirmed: return [.tell(ShellState.unconfirmedSentence)]
        }
    }

    private mutating func linkChanged(_ event: DaemonLink.Event, at now: Moment) -> [ShellEffect] {
        switch event {
        case .connected:
            link = .connected
            if startNote == DaemonStart.slowNote { startNote = nil }
            // Once it has run, whoever stopped it meant it: only a link or the menu starts it
            // again.
            mayStartDaemon = false
            linkGaveUp = false
            let links = waitingLinks
            waitingLinks = []
            return [.attach] + links.map(ShellState.begin)
        case .lost:
            let refused = requestsWaiting > 0 ? [ShellState.requestsNotice] : []
            link = .connecting
            status = nil
            waitsForIdle = false
            let asking = questions.sheets.filter { $0.deciding.ending == nil }.map(\.id)
            questions.connectionLost(at: now)
            followsChanges = false
            let confirming = confirmations.sheets.filter { $0.deciding.ending == nil }.map(\.id)
            confirmations.connectionLost(at: now)
            pairings.connectionLost(at: now)
            presence.handle(.questionsWaiting(0))
            let closed: [ShellEffect] = requests == nil ? [] : [.closeWindow(.requests)]
            return (asking + confirming + refused).map { .notice(.withdraw(id: $0)) } + closed
        case .absent:
            guard mayStartDaemon else { return [] }
            (mayStartDaemon, startNote) = (false, nil)
            link = .starting
            return [.startDaemon]
        case .untrusted(let sentence):
            link = .untrusted(sentence)
            return failWaitingLinks(sentence)
        case .denied:
            linkGaveUp = true
            link = .denied
            return failWaitingLinks(LinkState.deniedSentence)
        case .gaveUp:
            linkGaveUp = true
            // What was wrong at last says more than that it went on.
            if !link.isTroubled { link = .gaveUp }
            return failWaitingLinks(link.sentence ?? Reconnect.gaveUpSentence)
        }
    }

    /// Who opened a link waits for a sheet: that there will be none is told, and told once.
    private mutating func failWaitingLinks(_ sentence: String) -> [ShellEffect] {
        defer { waitingLinks = [] }
        return waitingLinks.isEmpty ? [] : [.tell(ShownText.sentence(sentence))]
    }

    private mutating func opened(_ address: String) -> [ShellEffect] {
        switch DeepLink(address) {
        // Any program can open a link: it is not the person who asks.
        case .startServer where link == .denied: return []
        case .pair where link == .denied: return [.tell(LinkState.deniedSentence)]
        case .startServer: return wantDaemon()
        case .unknown: return [.tell(DeepLink.unknownSentence)]
        case .pair(let address):
            if link == .connected { return [ShellState.begin(address)] }
            // More would only be more windows; the daemon lets three wait.
            if waitingLinks.count < 3 { waitingLinks.append(address) }
            return wantDaemon()
        }
    }

    mutating func wantDaemon() -> [ShellEffect] {
        switch link {
        case .connected, .starting: return []
        case .denied:
            link = .connecting
            linkGaveUp = false
            return [.reconnect]
        case .connecting where status == nil && mayStartDaemon: return []
        case .connecting, .untrusted, .gaveUp: break
        }
        defer { linkGaveUp = false }
        link = .starting
        (mayStartDaemon, startNote) = (false, nil)
        return [.startDaemon] + (linkGaveUp ? [.reconnect] : [])
    }

    private static func begin(_ address: String) -> ShellEffect {
        .beginPairing(link: address, redirectScheme: DeepLink.redirectScheme(address))
    }

    private mutating func told(_ notification: ControlNotification, at now: Moment) -> [ShellEffect] {
        switch notification {
        case .approvalAsked(let view): return asked(view, at: now)
        case .approvalWithdrawn(let withdrawn):
            _ = questions.handle(.withdrawn(withdrawn), for: withdrawn.id, at: now)
            return changed(withdrawn.id, in: questions, .question)
        case .pairingTurn(let id):
            let former = pairings.current?.id
            pairings.turn(of: id, at: now)
            return pairingChanged(from: former)
        case .serverChanged(let change):
            guard status != nil else { return [.askStatus] }
            status?.state = change.state
            status?.port = change.port
            status?.notes = change.notes
            return []
        case .activityAppended(let rows):
            activity.appended(rows)
            // A daemon that wasn't asked to tell of changes: that a list has changed is told by the
            // row about it.
            return !followsChanges && rows.contains { $0.category == .admin || $0.category == .access } ? loadLists : []
        case .requestsChanged(let waiting): return requestsChanged(waiting: waiting)
        // The menu leads to Get Started while there is none.
        case .connectionsChanged where loadLists.isEmpty: return [.askStatus]
        case .connectionsChanged, .tokensChanged, .settingsChanged: return loadLists
        case .confirmationAsked(let view): return confirmationsAsked([view], at: now)
        case .confirmationWithdrawn(let withdrawn):
            _ = confirmations.handle(.withdrawn(withdrawn), for: withdrawn.id, at: now)
            return changed(withdrawn.id, in: confirmations, .confirmation)
        case .unknown(let method):
            // A client waits for an answer that can't be given here.
            return method == "approval.asked" ? [.tell(ShellState.unreadableQuestion)] : []
        }
    }

    /// After what widened access while the owner passphrase is off.
    static var unconfirmedSentence: String {
        localized(
            "Nobody confirmed that: the owner passphrase is off, so any program that runs as you, your agents too, may allow itself anything."
        )
    }

    static var unreadableQuestion: String {
        localized(
            "A client asks for your yes in a form that this app does not know; update Sallyport, or answer with `sallyport approvals`."
        )
    }

    /// Only where somebody sees them.
    private var loadLists: [ShellEffect] {
        link == .connected && !presence.windows.isDisjoint(with: [.settings, .firstRun]) ? [.loadLists] : []
    }

    /// Only where somebody sees it; without a link it is asked once there is one.
    private mutating func loadActivity() -> [ShellEffect] {
        link == .connected && showsActivity ? [.queryActivity(activity.firstPage())] : []
    }

    private mutating func activityChanged(_ event: ActivityEvent) -> [ShellEffect] {
        switch event {
        case .shown:
            showsActivity = true
            return loadActivity()
        case .setFilter(let filter):
            let former = activity.filter
            let page = activity.setFilter(filter) ?? (filter == former ? nil : activity.pageToSearch())
            return page.map { [.queryActivity($0)] } ?? []
        case .wantsOlder: return activity.nextPage().map { [.queryActivity($0)] } ?? []
        case .follow(let isOn):
            activity.follow(isOn)
            // What was written in between is not among the pushed.
            return isOn ? [.queryActivity(activity.firstPage())] : []
        case .answered(let answer, let page):
            return activity.take(answer, for: page).map { [.queryActivity($0)] } ?? []
        }
    }

    private mutating func asked(_ view: ApprovalView, at now: Moment) -> [ShellEffect] {
        guard questions.add(view, at: now) else { return [] }
        presence.handle(.questionsWaiting(everyWaitingCount))
        guard let sheet = questions.sheets.first(where: { $0.id == view.id }) else { return [] }
        return [.notice(.forQuestion(sheet))] + (questions.current?.id == view.id ? [.showWindow(.question)] : [])
    }

    private func seen(_ window: Presence.Window) -> [ShellEffect] {
        let shown = window == .question ? questions.current?.id : window == .confirmation ? confirmations.current?.id : nil
        return shown.map { [.notice(.withdraw(id: $0))] } ?? []
    }

    private func pairingChanged(from former: String?) -> [ShellEffect] {
        guard pairings.current?.id != former else { return [] }
        return [pairings.current == nil ? .closeWindow(.pairing) : .showWindow(.pairing)]
    }
}
