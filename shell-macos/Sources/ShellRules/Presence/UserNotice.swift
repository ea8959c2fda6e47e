/// Notifications about waiting questions. The app posts one only while no window of it is in sight.
public enum UserNotice: Equatable, Sendable {
    case post(id: String, title: String, body: String)
    case withdraw(id: String)

    static func forView(_ view: some AskedView) -> UserNotice {
        .post(id: view.id, title: localized("Sallyport waits for your answer"), body: view.title)
    }

    /// For the latest request. The next one replaces it, so a client can't fill the screen.
    static func forRequests(_ requests: [AccessRequestView]) -> UserNotice? {
        requests.last.map {
            .post(id: ShellState.requestsNotice, title: localized("A client waits for your answer"), body: $0.notice)
        }
    }
}
