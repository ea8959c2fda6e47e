import Foundation
import ShellRules
import UserNotifications

/// Tells of a question that no window shows by a user notification, and takes it back once it is
/// answered.
@MainActor
final class Notices: NSObject {
    /// Run outside a bundle, as by `swift run`, there is no notification centre, and asking for it
    /// ends the app.
    private let areThere: Bool
    private(set) var hasListened = false

    init(areThere: Bool = Bundle.main.bundleIdentifier != nil) {
        self.areThere = areThere
    }

    /// Whether it tells of anything that waits, and that no window shows.
    var isNews: @MainActor (_ id: String) -> Bool = { _ in true }
    /// The notification about this question was clicked.
    var onClicked: @MainActor (_ id: String) -> Void = { _ in }

    /// Before the launch is finished: a click on a notification of a former run may be what
    /// launches the app.
    func listen() {
        hasListened = true
        if areThere { UNUserNotificationCenter.current().delegate = self }
    }

    func give(_ notice: UserNotice) {
        guard areThere else { return }
        switch notice {
        case .withdraw(let id):
            let center = UNUserNotificationCenter.current()
            center.removePendingNotificationRequests(withIdentifiers: [id])
            center.removeDeliveredNotifications(withIdentifiers: [id])
        case .post(let id, let title, let body): Task { await post(id, title, body) }
        }
    }

    /// Asked for anew at each call, since no page says that the centre may cross a thread.
    private func post(_ id: String, _ title: String, _ body: String) async {
        // Its window comes up first.
        try? await Task.sleep(for: .milliseconds(400))
        guard isNews(id) else { return }
        let mayTell = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound])
        // The first time, the user is asked whether it may, and what it is about may be answered
        // before that.
        guard mayTell == true, isNews(id) else { return }
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = body
        content.sound = .default
        try? await UNUserNotificationCenter.current()
            .add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
    }
}

extension Notices: UNUserNotificationCenterDelegate {
    // The handlers are @Sendable in newer SDKs only: taken as they are in every one, they are
    // called where they came.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let id = response.notification.request.identifier
        Task { @MainActor in onClicked(id) }
        completionHandler()
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound])
    }
}
