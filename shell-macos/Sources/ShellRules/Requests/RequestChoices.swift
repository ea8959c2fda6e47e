/// The buttons that answer the chosen requests. No key approves: Return and Esc leave all of them
/// waiting.
extension RequestList {
    /// How long AI clients may write to the connection. Empty if that would not do for every chosen
    /// request.
    public var levels: [Choice<Answer>] {
        guard levelConnection != nil else { return [] }
        return ConnectionForm.WriteDuration.allCases.map { duration in
            Choice(duration.label, .level(duration), unread.map { .dimmed($0) } ?? .enabled)
        }
    }

    /// Above these buttons. Nil if there are none.
    public var levelsLabel: String? {
        levelConnection.map { localized("Let AI clients write to \(ShownText.name($0.name)):") }
    }

    /// The daemon's limit is the last one.
    public static let timesToChoose = [1, 2, 3, 5, 10, 20, 50, 100]

    public static func label(ofTimes times: Int) -> String {
        counted(times, one: "\(number: times) time", other: "\(number: times) times")
    }

    /// Whether the person may choose how often each runs.
    public var mayRunOften: Bool { !chosen.isEmpty && chosen.allSatisfy { $0.runsBy == .client && $0.statement != nil } }

    /// In drawing order.
    public var choices: [Choice<Answer>] {
        let leave = Choice(
            requests.isEmpty ? localized("Close") : localized("Leave Waiting"), Answer.leave, keys: [.returnKey, .escape])
        let refresh = isOutdated ? [Choice(localized("Refresh"), Answer.refresh, isAnswering ? .dimmed(onItsWay) : .enabled)] : []
        guard !chosen.isEmpty else { return refresh + [leave] }
        let yes = unread.map { ButtonState.dimmed($0) } ?? .enabled
        let isOne = chosen.count == 1
        let areStatements = chosen.allSatisfy { $0.statement != nil }
        var choices = refresh
        if chosen.allSatisfy({ $0.runsBy == .client }) {
            choices.append(Choice(areStatements ? onceLabel(isOne) : localized("Allow"), .once, yes))
        }
        if areStatements {
            choices.append(Choice(isOne ? localized("Run It Yourself Now") : localized("Run Them Yourself Now"), .run, yes))
        }
        choices.append(Choice(localized("Don’t Allow"), .no, isAnswering ? .dimmed(onItsWay) : .enabled))
        return choices + [leave]
    }

    private func onceLabel(_ isOne: Bool) -> String {
        if times == 1 { return isOne ? localized("Allow Once") : localized("Allow Each Once") }
        return isOne ? localized("Allow \(number: times) Times") : localized("Allow Each \(number: times) Times")
    }

    /// The sentence above the buttons. Nil while there is none.
    public var remark: String? {
        if let outcome { return outcome }
        if isOutdated { return localized("What waits has changed since this was opened.") }
        if requests.isEmpty { return nil }
        return chosen.isEmpty ? localized("Choose one or several to answer them.") : unread
    }

    /// Why nothing may be approved yet. Nil if something may.
    private var unread: String? {
        if isAnswering { return onItsWay }
        if !isOpened { return localized("What it takes is being counted.") }
        return endWasShown ? nil : localized("Read to the end of what was asked to allow it.")
    }

    private var onItsWay: String { localized("The answer is on its way.") }

    /// The connection of all chosen requests, if write access would do for each.
    private var levelConnection: AskedConnection? {
        guard let first = chosen.first?.connection else { return nil }
        let isEnough = chosen.allSatisfy {
            $0.connection.id == first.id && $0.lacks == .connectionLevel && $0.statement?.askedStatement.class == .write
        }
        return isEnough ? first : nil
    }
}
