/// Notifications about what waits. The app posts one only while its window is not in sight.
public enum UserNotice: Equatable, Sendable {
    case post(id: String, title: String, body: String)
    case withdraw(id: String)

    /// The id of the one notice about requests: the next one replaces it, so a client can't fill
    /// the screen. No ask has this id.
    static let requests = "access-requests"

    /// It is seen on the lock screen, so it holds no statement, table or value. A client's name
    /// stands in quotes, and a program's own name for itself isn't said: it could read as ours.
    static func asking(_ view: AskView) -> UserNotice {
        let client = ShownText.name(view.client)
        let body = view.connection.map { localized("\(ShownText.name($0.name)), “\(client)”") } ?? ""
        return .post(id: view.waits ? view.id : requests, title: view.title.shown, body: body)
    }

    /// A pairing has none: the person has just opened its link.
    static func ids(of views: [AskView]) -> [String] {
        views.filter { $0.waits && $0.pairing == nil }.map(\.id) + (views.allSatisfy(\.waits) ? [] : [requests])
    }
}
