import Foundation
import ShellRules
import UserNotifications

/// Posts a user notification for a question that no window shows, and removes it once the question
/// is answered.
@MainActor
final class Notices: NSObject {
    /// Outside a bundle, as with `swift run`, there is no notification centre, and asking for it
    /// ends the app.
    var areThere: Bool
    private(set) var hasListened = false

    init(areThere: Bool = Bundle.main.bundleIdentifier != nil) {
        self.areThere = areThere
    }

    /// True if the notification's subject still waits and no window shows it.
    var isNews: @MainActor (_ id: String) -> Bool = { _ in true }
    /// Runs when a person clicks the notification of this question.
    var onClicked: @MainActor (_ id: String) -> Void = { _ in }

    /// Runs before the launch is finished: a click on a notification of an earlier run may launch
    /// the app.
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

    /// Asks for the centre at each call, because no page says that it may cross a thread.
    private func post(_ id: String, _ title: String, _ body: String) async {
        // The window comes up first.
        try? await Task.sleep(for: .milliseconds(400))
        guard isNews(id) else { return }
        let mayTell = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound])
        // The first time, the system asks the user for permission. The question may be answered
        // meanwhile.
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
    // The handlers are @Sendable in newer SDKs only. These signatures fit every SDK because each
    // handler is called on the thread that it arrives on.
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
