/// The refused requests of AI clients, as they were when the window was opened (spec §12): nothing
/// moves under a click. It knows which are chosen, what they take, whether they were read, and what
/// the answer asks of the daemon. It draws nothing.
public struct RequestList: Equatable, Sendable {
    /// In the order in which they were asked. Opened ones say what their statement takes.
    public private(set) var requests: [AccessRequestView]
    public private(set) var chosenIds: Set<String>
    /// The daemon has counted what these take.
    private var openedIds: Set<String> = []
    /// The daemon was asked to count these.
    private var openingIds: Set<String> = []
    /// The end of the chosen requests has been in sight.
    public private(set) var endWasShown = false
    public private(set) var isAnswering = false
    /// How often each chosen one may run after the approval.
    public private(set) var times = 1
    /// Others wait now, or some of these no longer wait.
    public private(set) var isOutdated = false
    /// The result of the last answer. A sentence, escaped.
    public private(set) var outcome: String?

    public enum Event: Equatable, Sendable {
        case ticked(id: String, Bool)
        case tickedAll(Bool)
        /// The end of this came into sight.
        case endShown(of: Reading)
        /// The daemon counted what these take.
        case opened([AccessRequestView])
        /// The daemon did not count these. With its sentence.
        case notOpened(ids: [String], String)
        case choseTimes(Int)
        case pressed(Answer)
        /// The person did not confirm it, so it still waits.
        case gaveUp
        /// The daemon's refusal, as a sentence.
        case refused(String)
    }

    public enum Answer: Equatable, Sendable {
        case once
        /// Runs it now, as the person.
        case run
        case level(ConnectionForm.WriteDuration)
        case no
        /// Closes the window. All of them still wait.
        case leave
        case refresh
    }

    /// The text that is shown.
    public struct Reading: Hashable, Sendable {
        fileprivate let chosen: Set<String>
        fileprivate let opened: Set<String>
    }

    public enum Effect: Equatable, Sendable {
        case open(Command.RequestsOpen)
        case decide(Command.RequestsDecide)
        case allowWriting(Command.ConnectionsSave)
        case close
        case listAgain
    }

    /// - Parameter outcome: the result of the last answer. Nothing is chosen after it: a second
    ///   click must not answer the next request.
    package init(_ requests: [AccessRequestView], outcome: String? = nil, isAgain: Bool = false) {
        self.requests = requests
        self.outcome = outcome
        // A single request is chosen at once.
        chosenIds = requests.count == 1 && !isAgain ? Set(requests.map(\.id)) : []
    }

    public var chosen: [AccessRequestView] { requests.filter { chosenIds.contains($0.id) } }

    public var reading: Reading { Reading(chosen: chosenIds, opened: openedIds.intersection(chosenIds)) }

    /// Whether every chosen request says what it takes. One without a statement takes nothing.
    var isOpened: Bool { chosen.allSatisfy { $0.statement == nil || openedIds.contains($0.id) } }

    /// Opens the chosen requests that are not open yet.
    mutating func open() -> Effect? {
        let ids = chosen.filter { $0.statement != nil && !openedIds.contains($0.id) && !openingIds.contains($0.id) }.map(\.id)
        openingIds.formUnion(ids)
        return ids.isEmpty ? nil : .open(Command.RequestsOpen(ids: ids))
    }

    public mutating func handle(_ event: Event, at now: Moment) -> Effect? {
        switch event {
        case .ticked(let id, let isOn): return choose(isOn ? chosenIds.union([id]) : chosenIds.subtracting([id]))
        case .tickedAll(let isOn): return choose(isOn ? Set(requests.map(\.id)) : [])
        case .endShown(let read): if read == reading { endWasShown = true }
        case .opened(let views): wereOpened(views)
        case .notOpened(let ids, let sentence):
            openingIds.subtract(ids)
            isOutdated = true
            outcome = ShownText.oneLine(sentence)
        case .choseTimes(let chosen): if !isAnswering, RequestList.timesToChoose.contains(chosen) { times = chosen }
        case .pressed(let answer): return press(answer, at: now)
        case .gaveUp: isAnswering = false
        case .refused(let sentence):
            isAnswering = false
            isOutdated = true
            outcome = ShownText.oneLine(sentence)
        }
        return nil
    }

    /// The list may be outdated.
    mutating func changedElsewhere() { isOutdated = true }

    /// The list is read again after it.
    mutating func became(_ outcome: String) {
        self.outcome = outcome
    }

    mutating func forgetOutcome() { outcome = nil }

    /// A new choice has to be read anew.
    private mutating func choose(_ ids: Set<String>) -> Effect? {
        guard !isAnswering, ids != chosenIds else { return nil }
        chosenIds = ids.intersection(requests.map(\.id))
        endWasShown = false
        times = 1
        return open()
    }

    private mutating func wereOpened(_ views: [AccessRequestView]) {
        let former = reading
        for view in views {
            guard let place = requests.firstIndex(where: { $0.id == view.id }) else { continue }
            requests[place] = view
            openedIds.insert(view.id)
        }
        openingIds.subtract(views.map(\.id))
        if reading != former { endWasShown = false }
    }

    private mutating func press(_ answer: Answer, at now: Moment) -> Effect? {
        guard (levels + choices).contains(where: { $0.answer == answer && $0.state.isEnabled }) else { return nil }
        switch answer {
        case .leave: return .close
        case .refresh: return .listAgain
        case .once: return .decide(decision(.once))
        case .run: return .decide(decision(.run))
        case .no: return .decide(decision(.no))
        case .level(let duration):
            var command = Command.ConnectionsSave(connection: chosen[0].connection.id)
            command.externalClients = .init(level: .readWrite, forSeconds: Change(duration.seconds(from: now.wall, in: .current)))
            isAnswering = true
            return .allowWriting(command)
        }
    }

    private mutating func decision(_ answer: RequestAnswer) -> Command.RequestsDecide {
        isAnswering = true
        let ids = chosen.map(\.id)
        switch answer {
        case .no: return .no(ids: ids)
        case .run: return .run(ids: ids)
        case .once: return .once(ids: ids, times: mayRunOften && times > 1 ? times : nil)
        }
    }
}
