/// The card that is drawn (spec §10 to §12): one ask, or several requests under one answer. State
/// and events go in, and the effect comes out. It draws nothing.
public struct AskSheet: Equatable, Identifiable, Sendable {
    public private(set) var views: [AskView]
    public private(set) var deciding: Deciding
    /// What a pairing lets a person choose. Nil for any other kind.
    public private(set) var pairing: PairingChoices?
    /// The end of the text has been in sight.
    public private(set) var endWasShown = false
    /// How often each request may run after the approval.
    public private(set) var times = 1
    /// What became of requests, as a sentence, escaped.
    private(set) var outcome: String?
    /// Those that take no further answer.
    private(set) var settled: Set<String> = []
    /// How often the text has changed.
    private var changes = 0

    public enum Event: Equatable, Sendable {
        case cameToFront
        /// The end of this came into sight.
        case endShown(of: Reading)
        /// The daemon counted what these take, or says something else of them.
        case opened([AskView])
        /// It did not. With its sentence, escaped.
        case notOpened(String)
        case choseTimes(Int)
        case chose(PairingChoices.Choice)
        case pressed(DeskAnswer)
        /// AI clients may write to the connection of the requests from now on.
        case pressedLevel(WriteDuration)
        case allowedWriting
        /// The window's close button. It is a no to whom waits; a request goes on waiting.
        case closed
        case typedPassphrase(String)
        case gaveUpPassphrase
        case answered(DeskDecision)
        case refused(ControlError)
        /// The person did not confirm the level.
        case gaveUp
        case withdrawn(WithdrawalReason)
        case connectionLost

        /// - Parameter typed: nil if the person gave it up, which is no answer to the question.
        public static func passphrase(_ typed: String?) -> Event { typed.map { .typedPassphrase($0) } ?? .gaveUpPassphrase }
    }

    public enum Effect: Equatable, Sendable {
        /// Then `.opened` or `.notOpened`.
        case open(Command.DeskOpen)
        /// The card is the confirmation. Then `.answered`, `.refused` or `.connectionLost`.
        case decide(Command.DeskDecide, passphrase: String? = nil)
        /// With `askConfirming`, then `.allowedWriting` or `.gaveUp`.
        case allowWriting(Command.ConnectionsSave)
        /// Opens the answer's address, unchanged, with the app that the card has named. Nil on
        /// loopback.
        case visit(String, takenBy: String?)
    }

    /// The text that is shown.
    public struct Reading: Hashable, Sendable {
        fileprivate let ids: [String]
        fileprivate let change: Int
    }

    init(_ views: [AskView], at now: Moment) {
        self.views = views
        deciding = Deciding(expiresAt: views.map(\.expiresAt).min() ?? "", at: now)
        pairing = views.first?.pairing.map(PairingChoices.init)
    }

    public var id: String { views.map(\.id).joined(separator: " ") }
    var ids: [String] { views.map(\.id) }
    /// The daemon has not counted yet what these take, so nobody can have read it.
    var uncounted: [String] { views.filter(\.isUncounted).map(\.id) }
    public var reading: Reading { Reading(ids: ids, change: changes) }
    /// Nobody waits: a client sends it again.
    public var isRequest: Bool { views.allSatisfy { !$0.waits } }

    /// The daemon's limit is the last one.
    public static let timesToChoose = [1, 2, 3, 5, 10, 20, 50, 100]

    public mutating func handle(_ event: Event, at now: Moment) -> Effect? {
        switch event {
        case .cameToFront: deciding.cameToFront(at: now)
        case .endShown(let read): if read == reading { endWasShown = true }
        case .opened(let counted): wereOpened(counted, at: now)
        case .notOpened(let sentence): deciding.tell(sentence)
        case .choseTimes(let chosen):
            if deciding.isOpen, mayRunOften, AskSheet.timesToChoose.contains(chosen) { times = chosen }
        case .chose(let choice): if deciding.isOpen { pairing?.take(choice) }
        case .pressed(let answer):
            guard answers.contains(answer), !answer.isYes || missing(at: now) == nil else { return nil }
            guard deciding.press(answer, at: now) else { return nil }
            return .decide(command(answer))
        case .pressedLevel(let duration): return allowWriting(duration, at: now)
        case .allowedWriting:
            guard deciding.isSent else { return nil }
            outcome = AskSheet.allowedWriting
            deciding.end(.closed)
        case .closed: return close(at: now)
        case .typedPassphrase(let passphrase):
            return deciding.gavePassphrase().map { .decide(command($0), passphrase: passphrase) }
        case .gaveUpPassphrase: deciding.gaveUpPassphrase(at: now)
        case .answered(let decision): return answered(decision)
        case .refused(let error): deciding.wasRefused(error, at: now)
        case .gaveUp: deciding.gaveUp(at: now)
        case .withdrawn(let reason): deciding.end(views.count == 1 ? .withdrawn(reason) : .oneWithdrawn)
        case .connectionLost: deciding.end(.lost(mayBeDone: deciding.mayBeDone))
        }
        return nil
    }

    private mutating func wereOpened(_ counted: [AskView], at now: Moment) {
        guard deciding.ending == nil else { return }
        let former = views
        views = views.map { view in counted.first { $0.id == view.id } ?? view }
        // How often a client has sent it is no reason to read it again: a client could go on.
        guard !zip(former, views).allSatisfy({ $0.isSame(as: $1) }) else { return }
        changes += 1
        endWasShown = false
        // A passphrase would confirm what nobody has read.
        deciding.gaveUpPassphrase(at: now)
        // New buttons stand there.
        deciding.cameToFront(at: now)
    }

    private mutating func close(at now: Moment) -> Effect? {
        // The daemon still answers, and a pairing's address is opened.
        if deciding.isSent { return nil }
        deciding.gaveUpPassphrase(at: now)
        let isAlive = deciding.ending == nil
        if pairing == nil, !isRequest, deciding.press(.no, at: now) { return .decide(command(.no)) }
        deciding.end(.closed)
        return isAlive && pairing != nil ? .decide(command(.close)) : nil
    }

    private mutating func answered(_ decision: DeskDecision) -> Effect? {
        guard deciding.isSent, decision.ids == ids else { return nil }
        deciding.wasTaken()
        settled = Set(decision.answer == .run ? decision.ran.filter { $0.failed == nil }.map(\.id) : ids)
        if isRequest { outcome = decision.outcome }
        guard let address = decision.address, let redirect = pairing?.asked.redirect else { return nil }
        return .visit(address, takenBy: redirect.kind == .loopback ? nil : redirect.receiver)
    }

    private func command(_ answer: DeskAnswer) -> Command.DeskDecide {
        var command = Command.DeskDecide(ids: ids, answer: answer)
        // Another shell may have counted anew what it takes: the daemon compares.
        if isRequest, answer.isYes { command.takes = views.compactMap { $0.statement?.askedStatement.takes } }
        guard answer == .yes else { return command }
        if times > 1 { command.times = times }
        if let pairing {
            command.grant = .init(scope: pairing.scope, connections: .only(pairing.ticked), expires: pairing.expires)
        }
        return command
    }

    private mutating func allowWriting(_ duration: WriteDuration, at now: Moment) -> Effect? {
        guard let connection = levelConnection, missing(at: now) == nil, deciding.press(.yes, at: now) else { return nil }
        var command = Command.ConnectionsSave(connection: connection.id)
        command.externalClients = .init(level: .readWrite, forSeconds: Change(duration.seconds(from: now.wall, in: .current)))
        return .allowWriting(command)
    }
}
