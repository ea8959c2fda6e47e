/// The answers to a card: its buttons, why one is dimmed, and the sentence above them. The daemon
/// says which answers there are.
extension AskSheet {
    /// Those that every one of them takes. `close` is the window's own button.
    var answers: [DeskAnswer] {
        views.first?.answers.filter { answer in answer != .close && views.allSatisfy { $0.answers.contains(answer) } } ?? []
    }

    /// In drawing order. Command-Return approves, once the end was in sight. Return and Esc deny to
    /// whom waits, but for the first moment, in which they were meant for another window; leave a
    /// request waiting; and close an ended card.
    public func choices(at now: Moment) -> [Choice<Event>] {
        let keys: Set<ChoiceKey> = [.returnKey, .escape]
        guard deciding.ending == nil else { return [Choice(localized("Close"), .closed, keys: keys)] }
        let buttons = answers.map { answer in
            Choice(
                label(of: answer), Event.pressed(answer),
                keys: answer == .yes ? [.commandReturn] : answer == .no && !isRequest && !deciding.isDeaf(at: now) ? keys : [],
                answer.isYes ? yesButton(at: now) : deciding.noButton(at: now))
        }
        return isRequest ? buttons + [Choice(localized("Leave Waiting"), .closed, keys: keys)] : buttons
    }

    /// How long AI clients may write to the connection. Empty if that would not do for every chosen
    /// request.
    public func levels(at now: Moment) -> [Choice<Event>] {
        guard levelConnection != nil, deciding.ending == nil else { return [] }
        return WriteDuration.allCases.map { Choice($0.label, .pressedLevel($0), yesButton(at: now)) }
    }

    /// Above these buttons. Nil if there are none.
    public var levelsLabel: String? {
        levelConnection.map { localized("Let AI clients write to \(ShownText.name($0.name)):") }
    }

    /// The connection of all chosen requests, if write access would do for each.
    var levelConnection: AskedConnection? {
        guard let first = views.first?.connection else { return nil }
        let isEnough = views.allSatisfy {
            $0.connection?.id == first.id && $0.lacks == .connectionLevel && $0.statement?.askedStatement.class == .write
        }
        return isEnough ? first : nil
    }

    /// Whether the person may choose how often each runs.
    public var mayRunOften: Bool {
        isRequest && answers.contains(.yes) && views.allSatisfy { $0.runsBy == .client && $0.statement != nil }
    }

    public static func label(ofTimes times: Int) -> String {
        counted(times, one: "\(number: times) time", other: "\(number: times) times")
    }

    func yesButton(at now: Moment) -> ButtonState {
        missing(at: now).map { .dimmed($0) } ?? (deciding.isDeaf(at: now) ? .dimmed(localized("One moment…")) : .enabled)
    }

    /// The sentence above the buttons. Nil while there is none.
    public func remark(at now: Moment) -> String? {
        if deciding.ending == nil, let problem = deciding.problem { return problem }
        return missing(at: now)
    }

    /// Why nothing may be approved yet. Nil if something may.
    func missing(at now: Moment) -> String? {
        if let ending = deciding.ending { return ending.sentence }
        if deciding.countdown(at: now).isOver {
            return pairing == nil
                ? localized("Its time is up, so it was not allowed.")
                : localized("The five minutes have passed; begin anew in the client.")
        }
        if !deciding.isOpen { return localized("The answer is on its way.") }
        if let pairing { return pairing.ticked.isEmpty ? localized("Tick a connection to approve.") : nil }
        if !uncounted.isEmpty { return localized("What it takes is being counted.") }
        return endWasShown ? nil : localized("Read to the end of what was asked to allow it.")
    }

    private func label(of answer: DeskAnswer) -> String {
        let isOne = views.count == 1
        switch (answer, views[0].kind) {
        case (.run, _): return isOne ? localized("Run It Yourself Now") : localized("Run Them Yourself Now")
        case (.no, .pairing): return localized("Deny")
        case (.no, .statement) where !isRequest: return localized("Don’t Run")
        case (.no, _), (.close, _): return localized("Don’t Allow")
        case (.yes, .pairing): return localized("Approve")
        case (.yes, .statement) where !isRequest: return localized("Run Statement")
        case (.yes, _) where !mayRunOften: return localized("Allow")
        case (.yes, _):
            if times == 1 { return isOne ? localized("Allow Once") : localized("Allow Each Once") }
            return isOne ? localized("Allow \(number: times) Times") : localized("Allow Each \(number: times) Times")
        }
    }
}

extension Deciding.Ending {
    var sentence: String {
        switch self {
        case .decided(let answer): answer.isYes ? localized("It was answered with yes.") : localized("It was answered with no.")
        case .withdrawn(.yes): localized("It was answered with yes elsewhere.")
        case .withdrawn(.no): localized("It was answered with no elsewhere.")
        case .withdrawn(.timeout): localized("It ran out of time; nobody answered.")
        case .withdrawn(.cancelled): localized("It was withdrawn: the program that asked no longer waits.")
        case .closed: localized("It was closed.")
        case .oneWithdrawn: localized("One of these no longer waits.")
        case .lost(mayBeDone: true): ControlClient.Failure.lost.sentence
        case .lost(mayBeDone: false): localized("The connection to Sallyport was lost, so it was not allowed.")
        }
    }
}
