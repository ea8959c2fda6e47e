/// What other shells ask, and the person here is to confirm (spec §11 Privilege increases).
extension ShellState {
    /// Questions and confirmations that wait for the person.
    var waitingCount: Int { questions.pendingCount + confirmations.pendingCount }

    /// And what AI clients were refused.
    var everyWaitingCount: Int { waitingCount + requestsWaiting }

    mutating func confirmationsAsked(_ views: [ConfirmationView], at now: Moment) -> [ShellEffect] {
        let asked = views.filter { confirmations.add($0, at: now) }
        presence.handle(.questionsWaiting(everyWaitingCount))
        let sheets = confirmations.sheets.filter { sheet in asked.contains { $0.id == sheet.id } }
        let show: [ShellEffect] = sheets.contains { $0.id == confirmations.current?.id } ? [.showWindow(.confirmation)] : []
        return sheets.map { .notice(.forConfirmation($0)) } + show
    }

    /// After anything that happened to the one sheet of a queue.
    mutating func changed<Sheet>(_ id: String, in queue: SheetQueue<Sheet>, _ window: Presence.Window) -> [ShellEffect] {
        presence.handle(.questionsWaiting(everyWaitingCount))
        return (queue.waits(id) ? [] : [.notice(.withdraw(id: id))]) + (queue.current == nil ? [.closeWindow(window)] : [])
    }

    /// Where what a notification tells of waits still: it is posted while that window is not in
    /// sight.
    /// - Returns: nil where nothing of it waits any more.
    public func window(ofNotice id: String) -> Presence.Window? {
        if id == ShellState.requestsNotice { return requestsWaiting > 0 && requests == nil ? .requests : nil }
        return questions.waits(id) ? .question : confirmations.waits(id) ? .confirmation : nil
    }
}

extension SheetQueue {
    fileprivate func waits(_ id: String) -> Bool { sheets.contains { $0.id == id && $0.deciding.ending == nil } }
}

/// What a shell asks first on a fresh connection, all of it.
public struct ShellAttachment: Equatable, Sendable {
    public var questions: [ApprovalView]
    /// False where the daemon asks nobody here.
    public var isAsked: Bool
    /// None where this is not Sallyport.app on a Mac with its secrets in the keychain.
    public var confirmations: [ConfirmationView]
    public var status: DaemonStatus
    /// False for a daemon that tells of no changes.
    public var followsChanges: Bool

    public init(
        questions: [ApprovalView], isAsked: Bool = true, confirmations: [ConfirmationView], status: DaemonStatus,
        followsChanges: Bool
    ) {
        self.questions = questions
        self.isAsked = isAsked
        self.confirmations = confirmations
        self.status = status
        self.followsChanges = followsChanges
    }
}

extension ControlClient {
    /// For `ShellEffect.attach`; then `.attachment`.
    /// - Throws: `Failure`
    public func attach() async throws -> ShellAttachment {
        let attached = try await ask(Command.ApprovalsAttach(answers: true))
        let follows = (try? await ask(Command.ChangesFollow()))?.following ?? false
        _ = try await ask(Command.ActivityFollow())
        // Refused to whoever is not the app, which is no reason to be without the rest.
        let confirmations = (try? await ask(Command.ConfirmationsPending()))?.confirmations ?? []
        return ShellAttachment(
            questions: attached.questions, isAsked: attached.attached, confirmations: confirmations,
            status: try await ask(Command.Status()), followsChanges: follows)
    }
}
