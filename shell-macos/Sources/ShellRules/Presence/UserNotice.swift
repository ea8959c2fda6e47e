/// How the user is told by a notification that something waits; the app posts it only while no
/// window of it is in sight.
public enum UserNotice: Equatable, Sendable {
    case post(id: String, title: String, body: String)
    case withdraw(id: String)

    static func forQuestion(_ sheet: QuestionSheet) -> UserNotice {
        return .post(id: sheet.id, title: localized("A client waits for your answer"), body: sheet.title)
    }

    /// Of the one that came last; the next takes its place, so that a client which asks without end
    /// fills nothing.
    static func forRequests(_ requests: [AccessRequestView]) -> UserNotice? {
        requests.last.map {
            .post(id: ShellState.requestsNotice, title: localized("A client waits for your answer"), body: $0.notice)
        }
    }
}
