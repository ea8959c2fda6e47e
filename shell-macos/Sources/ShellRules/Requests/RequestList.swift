/// What AI clients were refused and wait for, as it was when its window was opened (spec §12):
/// nothing in it moves under a click. Which of it is chosen, what that takes, whether it was read,
/// and what the person's answer asks of the daemon. Draws nothing.
public struct RequestList: Equatable, Sendable {
    /// In the order in which they were asked. Those that were opened say what their statement
    /// takes.
    public private(set) var requests: [AccessRequestView]
    public private(set) var chosenIds: Set<String>
    /// The daemon has counted what they take.
    private var openedIds: Set<String> = []
    /// It was asked to.
    private var openingIds: Set<String> = []
    /// The end of all that is chosen has been in sight.
    public private(set) var endWasShown = false
    public private(set) var isAnswering = false
    /// How often each chosen one may run once it is allowed.
    public private(set) var times = 1
    /// Others wait now, or some of these wait no more.
    public private(set) var isOutdated = false
    /// What became of the last answer; a sentence, escaped.
    public private(set) var outcome: String?

    public enum Event: Equatable, Sendable {
        case ticked(id: String, Bool)
        case tickedAll(Bool)
        /// The end of this came into sight.
        case endShown(of: Reading)
        /// What these take was counted.
        case opened([AccessRequestView])
        /// These were not: the daemon's sentence.
        case notOpened(ids: [String], String)
        case choseTimes(Int)
        case pressed(Answer)
        /// Asked to confirm it, the person did not: it waits on.
        case gaveUp
        /// The daemon's no, in its sentence.
        case refused(String)
    }

    public enum Answer: Equatable, Sendable {
        case once
        /// Now, as the person.
        case run
        case level(ConnectionForm.WriteDuration)
        case no
        /// Closes the window: all of it waits on.
        case leave
        case refresh
    }

    /// What stands there to be read.
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

    /// - Parameter outcome: of the answer after which it is listed again. Then nothing is chosen: a
    ///   second click that was meant for what stood there before must not answer what is left.
    package init(_ requests: [AccessRequestView], outcome: String? = nil, isAgain: Bool = false) {
        self.requests = requests
        self.outcome = outcome
        // One alone is not to be looked for.
        chosenIds = requests.count == 1 && !isAgain ? Set(requests.map(\.id)) : []
    }

    public var chosen: [AccessRequestView] { requests.filter { chosenIds.contains($0.id) } }

    public var reading: Reading { Reading(chosen: chosenIds, opened: openedIds.intersection(chosenIds)) }

    /// Whether all that is chosen says what it takes; what runs nothing takes nothing.
    var isOpened: Bool { chosen.allSatisfy { $0.statement == nil || openedIds.contains($0.id) } }

    /// What was chosen from the beginning, or is now, and is not open yet.
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

    /// Others may wait now than it says.
    mutating func changedElsewhere() { isOutdated = true }

    /// Then it is listed again.
    mutating func became(_ outcome: String) {
        self.outcome = outcome
    }

    mutating func forgetOutcome() { outcome = nil }

    /// What was read of one choice was not read of another.
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
