extension ShellState {
    public mutating func handle(_ event: ShellEvent, at now: Moment) -> [ShellEffect] {
        switch event {
        case .link(let event): return linkChanged(event, at: now)
        case .notification(let notification): return told(notification, at: now)
        case .opened(let address): return opened(address)
        case .chose(let action): return chose(action, at: now)
        case .noticeClicked(let id): return isNews(id) ? showDesk(at: now) : []
        case .launchedByHand: return handle(.reopened, at: now) + (isPassing ? [.tell(BundlePlace.moveSentence)] : [])
        case .reopened:
            presence.handle(.openedByHand)
            let again = link == .denied ? wantDaemon() : []
            return again + (presence.windows.isEmpty ? [windowOfALaunch()] : [])
        case .seen(let window):
            return window == .desk ? UserNotice.ids(of: desk.asks).map { .notice(.withdraw(id: $0)) } : []
        case .started(let note):
            startNote = note
            return []
        case .restarting:
            mayStartDaemon = true
            return []
        case .status(let status):
            self.status = status
            return restartIfOld()
        case .attachment(let attachment):
            isAsked = attachment.isAsked
            status = attachment.status
            let asked = deskChanged(at: now, isNews: false) { desk in
                desk.add(attachment.asks, at: now)
                return nil
            }
            return asked + loadLists + restartIfOld()
        case .pairingBegun(let view): return told(DeskChange(waiting: 0, asked: view, ended: nil), at: now)
        case .desk(let event):
            return deskChanged(at: now) { desk in
                desk.handle(event, at: now)
                return nil
            }
        case .sheet(let id, .allowedWriting) where desk.sheet?.id != id || desk.sheet?.deciding.isSent != true:
            return [.tell(AskSheet.allowedWriting)]
        case .sheet(let id, let event): return deskChanged(at: now) { $0.handle(event, for: id, at: now) }
        case .presence(let event):
            presence.handle(event)
            if event == .closed(.desk) { return handle(.desk(.left), at: now) }
            return event == .opened(.settings) || event == .opened(.firstRun) ? loadLists : []
        case .lists(let lists):
            self.lists = lists
            return []
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
            link = .connecting
            status = nil
            waitsForIdle = false
            return deskChanged(at: now) { desk in
                desk.connectionLost(at: now)
                return nil
            }
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
        case .deskChanged(let change): return told(change, at: now)
        case .serverChanged(let change):
            guard status != nil else { return [.askStatus] }
            status?.state = change.state
            status?.port = change.port
            status?.notes = change.notes
            return []
        // The app doesn't follow the log.
        case .activityAppended: return []
        // The menu offers Get Started while there is no connection.
        case .connectionsChanged where loadLists.isEmpty: return [.askStatus]
        case .connectionsChanged, .tokensChanged, .settingsChanged: return loadLists
        case .unknown(let method):
            // A client waits for an answer that the app can't give.
            return method == "desk.changed" ? [.tell(ShellState.unreadableQuestion)] : []
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
}
