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
            isAsked = attachment.isAsked
            status = attachment.status
            return asked(attachment.questions, \.questions, at: now)
                + asked(attachment.confirmations, \.confirmations, at: now) + loadLists + loadActivity() + restartIfOld()
                + offerFirstRun()
        case .confirmation(let id, let event):
            let effect = confirmations.handle(event, for: id, at: now)
            return (effect.map { [.confirmation($0)] } ?? []) + changed(id, in: confirmations)
        case .pairingBegun(let view):
            pairings.add(view, at: now)
            return pairings.current?.id == view.id ? [.showWindow(.pairing)] : []
        case .question(let id, let event):
            let effect = questions.handle(event, for: id, at: now)
            return (effect.map { [.question(id: id, $0)] } ?? []) + changed(id, in: questions)
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
            // The daemon has run, so a stop after that is meant. Only a link or the menu starts it
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
            let asking = questions.connectionLost(at: now) + confirmations.connectionLost(at: now)
            pairings.connectionLost(at: now)
            presence.handle(.questionsWaiting(0))
            let closed: [ShellEffect] = requests == nil ? [] : [.closeWindow(.requests)]
            return (asking + refused).map { .notice(.withdraw(id: $0)) } + closed
        case .absent:
            guard mayStartDaemon else { return [] }
            (mayStartDaemon, startNote) = (false, nil)
            link = .starting
            return [.startDaemon]
        case .untrusted(let sentence):
            link = .untrusted(sentence)
            return failWaitingLinks(sentence) + loadWithoutProof
        case .denied:
            linkGaveUp = true
            link = .denied
            return failWaitingLinks(LinkState.deniedSentence) + loadWithoutProof
        case .gaveUp:
            linkGaveUp = true
            // The last problem says more than the giving up.
            if !link.isTroubled { link = .gaveUp }
            return failWaitingLinks(link.sentence ?? Reconnect.gaveUpSentence)
        }
    }

    /// The person who opened a link waits for a sheet, so the failure is told once.
    private mutating func failWaitingLinks(_ sentence: String) -> [ShellEffect] {
        defer { waitingLinks = [] }
        return waitingLinks.isEmpty ? [] : [.tell(ShownText.sentence(sentence))]
    }

    private mutating func opened(_ address: String) -> [ShellEffect] {
        switch DeepLink(address) {
        // Any program can open a link, so a link is no wish of the person.
        case .startServer where link == .denied: return []
        case .pair where link == .denied: return [.tell(LinkState.deniedSentence)]
        case .startServer: return wantDaemon()
        case .unknown: return [.tell(DeepLink.unknownSentence)]
        case .pair(let address):
            if link == .connected { return [ShellState.begin(address)] }
            // The daemon lets three pairings wait.
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
        case .approvalAsked(let view): return asked([view], \.questions, at: now)
        case .approvalWithdrawn(let withdrawn):
            _ = questions.handle(.withdrawn(withdrawn.because), for: withdrawn.id, at: now)
            return changed(withdrawn.id, in: questions)
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
            return []
        case .requestsChanged(let waiting): return requestsChanged(waiting: waiting)
        // The menu offers Get Started while there is no connection.
        case .connectionsChanged where loadLists.isEmpty: return [.askStatus]
        case .connectionsChanged, .tokensChanged, .settingsChanged: return loadLists
        case .confirmationAsked(let view): return asked([view], \.confirmations, at: now)
        case .confirmationWithdrawn(let withdrawn):
            _ = confirmations.handle(.withdrawn(withdrawn.because), for: withdrawn.id, at: now)
            return changed(withdrawn.id, in: confirmations)
        case .unknown(let method):
            // A client waits for an answer that the app can't give.
            return method == "approval.asked" ? [.tell(ShellState.unreadableQuestion)] : []
        }
    }

    /// After a privilege increase while the owner passphrase is off.
    static var unconfirmedSentence: String {
        localized(
            "Nobody confirmed that: the owner passphrase is off, so any program that runs as you, your agents too, can grant itself any access."
        )
    }

    static var unreadableQuestion: String {
        localized(
            "A client asks for your yes in a form that this app does not know; update Sallyport, or answer with `sallyport allow`."
        )
    }

    /// The brakes need no proof, and what they act on neither.
    private var loadWithoutProof: [ShellEffect] { loadLists.isEmpty ? [.askStatus] : loadLists }

    /// Only while a window shows them.
    private var loadLists: [ShellEffect] {
        (link == .connected || link.isUnproved) && !presence.windows.isDisjoint(with: [.settings, .firstRun]) ? [.loadLists] : []
    }

    /// Only while a window shows it. Without a link the app asks once there is one.
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
            // The pushed rows leave out what was written in between.
            return isOn ? [.queryActivity(activity.firstPage())] : []
        case .answered(let answer, let page):
            return activity.take(answer, for: page).map { [.queryActivity($0)] } ?? []
        }
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
