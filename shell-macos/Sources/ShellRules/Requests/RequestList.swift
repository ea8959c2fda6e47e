/// What AI clients were refused and wait for, as it was when its window was opened (spec §12): nothing in it moves under a click. Which
/// of it is chosen, whether that was read, and what the person's answer asks of the daemon. Draws nothing.
public struct RequestList: Equatable, Sendable {
    /// In the order in which they were asked.
    public let requests: [AccessRequestView]
    public private(set) var chosenIds: Set<String>
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
        /// The end of what these ids say came into sight.
        case endShown(of: Set<String>)
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

    public enum Effect: Equatable, Sendable {
        case decide(Command.DecideRequests)
        case allowWriting(Command.SaveConnection)
        case close
        case listAgain
    }

    /// - Parameter outcome: of the answer after which it is listed again. Then nothing is chosen: a second click that was meant for what
    ///   stood there before must not answer what is left.
    package init(_ requests: [AccessRequestView], outcome: String? = nil, isAgain: Bool = false) {
        self.requests = requests
        self.outcome = outcome
        // One alone is not to be looked for.
        chosenIds = requests.count == 1 && !isAgain ? Set(requests.map(\.id)) : []
    }

    public var chosen: [AccessRequestView] { requests.filter { chosenIds.contains($0.id) } }

    public mutating func handle(_ event: Event, at now: Moment) -> Effect? {
        switch event {
        case .ticked(let id, let isOn): choose(isOn ? chosenIds.union([id]) : chosenIds.subtracting([id]))
        case .tickedAll(let isOn): choose(isOn ? Set(requests.map(\.id)) : [])
        case .endShown(let ids): if ids == chosenIds { endWasShown = true }
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
    private mutating func choose(_ ids: Set<String>) {
        guard !isAnswering, ids != chosenIds else { return }
        chosenIds = ids.intersection(requests.map(\.id))
        endWasShown = false
        times = 1
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
            var command = Command.SaveConnection(connection: chosen[0].connection.id)
            command.externalClients = .init(level: .readWrite, forSeconds: duration.seconds(from: now.wall, in: .current))
            isAnswering = true
            return .allowWriting(command)
        }
    }

    private mutating func decision(_ answer: RequestAnswer) -> Command.DecideRequests {
        isAnswering = true
        let often = answer == .once && mayRunOften && times > 1 ? times : nil
        return Command.DecideRequests(ids: chosen.map(\.id), answer: answer, times: often)
    }
}
