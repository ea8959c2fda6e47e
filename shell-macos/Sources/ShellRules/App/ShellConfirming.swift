/// Requests of other programs that the person here confirms (spec §11 Privilege increases).
extension ShellState {
    /// Questions and confirmations that wait for the person.
    var waitingCount: Int { questions.pendingCount + confirmations.pendingCount }

    /// Those, and the refused requests of AI clients.
    var everyWaitingCount: Int { waitingCount + requestsWaiting }

    /// Tells of each new one, and draws it if it is its turn.
    mutating func asked<View>(
        _ views: [View], _ queue: WritableKeyPath<ShellState, SheetQueue<View>>, at now: Moment
    ) -> [ShellEffect] {
        let new = views.filter { self[keyPath: queue].add($0, at: now) }
        presence.handle(.questionsWaiting(everyWaitingCount))
        let isDrawn = new.contains { $0.id == self[keyPath: queue].current?.id }
        return new.map { .notice(.forView($0)) } + (isDrawn ? [.showWindow(View.window)] : [])
    }

    /// After any event of a sheet of the queue.
    mutating func changed<View>(_ id: String, in queue: SheetQueue<View>) -> [ShellEffect] {
        presence.handle(.questionsWaiting(everyWaitingCount))
        return (queue.waits(id) ? [] : [.notice(.withdraw(id: id))]) + (queue.current == nil ? [.closeWindow(View.window)] : [])
    }

    /// The window to open for a clicked notification. The notification is posted while that window
    /// is not in sight.
    /// - Returns: nil if nothing of it waits any more.
    public func window(ofNotice id: String) -> Presence.Window? {
        if id == ShellState.requestsNotice { return requestsWaiting > 0 && requests == nil ? .requests : nil }
        return questions.waits(id) ? .question : confirmations.waits(id) ? .confirmation : nil
    }
}

/// Everything that a shell asks first on a new connection.
public struct ShellAttachment: Equatable, Sendable {
    public var questions: [ApprovalView]
    /// False if the daemon asks nobody here.
    public var isAsked = true
    /// Empty unless this is Sallyport.app on a Mac with its secrets in the keychain.
    public var confirmations: [ConfirmationView]
    public var status: DaemonStatus
}

extension ControlClient {
    /// For `ShellEffect.attach`. `.attachment` follows.
    /// - Throws: `Failure`
    public func attach() async throws -> ShellAttachment {
        let attached = try await ask(Command.ApprovalsAttach(answers: true))
        // An old daemon lacks this command, and the app restarts it.
        _ = try? await ask(Command.ChangesFollow())
        _ = try await ask(Command.ActivityFollow())
        // The daemon refuses this to any other program. The rest is still useful.
        let confirmations = (try? await ask(Command.ConfirmationsPending()))?.confirmations ?? []
        return ShellAttachment(
            questions: attached.questions, isAsked: attached.attached, confirmations: confirmations,
            status: try await ask(Command.Status()))
    }
}
