/// What other shells ask, and the person here is to confirm (spec §11 Widening).
extension ShellState {
    /// A press, or what became of it. What is to be asked of the daemon then is the answer; nil for
    /// nothing. Afterwards the window is to be open where `confirmations.current` is there, and
    /// else closed.
    public mutating func confirm(
        _ event: ConfirmationSheet.Event, for id: String, at now: Moment
    ) -> ConfirmationSheet.Effect? {
        defer { presence.handle(.questionsWaiting(everyWaitingCount)) }
        return confirmations.handle(event, for: id, at: now)
    }

    /// Questions and confirmations that wait for the person.
    var waitingCount: Int { questions.pendingCount + confirmations.pendingCount }

    /// And what AI clients were refused.
    var everyWaitingCount: Int { waitingCount + requestsWaiting }

    mutating func confirmationsAsked(_ views: [ConfirmationView], at now: Moment) -> [ShellEffect] {
        let hasWindow = !presence.windows.isEmpty
        let asked = views.filter { confirmations.add($0, at: now) }
        presence.handle(.questionsWaiting(everyWaitingCount))
        let sheets = confirmations.sheets.filter { sheet in asked.contains { $0.id == sheet.id } }
        return sheets.compactMap { UserNotice.forConfirmation($0, hasWindow: hasWindow) }.map { .notice($0) }
    }

    mutating func confirmationsChanged(_ id: String) -> [ShellEffect] {
        presence.handle(.questionsWaiting(everyWaitingCount))
        let isOpen = confirmations.sheets.contains { $0.id == id && $0.deciding.ending == nil }
        return isOpen ? [] : [.notice(.withdraw(id: id))]
    }
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
