/// When the user is told by a notification that something waits: a question no window shows.
public enum UserNotice: Equatable, Sendable {
    case post(id: String, title: String, body: String)
    case withdraw(id: String)

    /// - Parameter hasWindow: a window of ours is open, where the question stands already.
    public static func forQuestion(_ sheet: QuestionSheet, hasWindow: Bool) -> UserNotice? {
        guard !hasWindow, sheet.deciding.ending == nil else { return nil }
        return .post(id: sheet.id, title: localized("A client waits for your answer"), body: sheet.notice)
    }

    /// Of the one that came last; the next takes its place, so that a client which asks without end
    /// fills nothing.
    static func forRequests(_ requests: [AccessRequestView]) -> UserNotice? {
        requests.last.map {
            .post(id: ShellState.requestsNotice, title: localized("A client waits for your answer"), body: $0.notice)
        }
    }
}
