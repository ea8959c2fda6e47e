import ShellRules
import UserNotifications

/// Tells of a question that no window shows by a user notification, and takes it back once it is answered.
@MainActor
final class Notices: NSObject {
    /// The notification about this question was clicked.
    var onClicked: @MainActor (_ id: String) -> Void = { _ in }

    func give(_ notice: UserNotice) {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        switch notice {
        case .withdraw(let id):
            center.removePendingNotificationRequests(withIdentifiers: [id])
            center.removeDeliveredNotifications(withIdentifiers: [id])
        case .post(let id, let title, let body):
            Task {
                guard (try? await center.requestAuthorization(options: [.alert, .sound])) == true else { return }
                let content = UNMutableNotificationContent()
                content.title = localized(title)
                content.body = body
                content.sound = .default
                try? await center.add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
            }
        }
    }
}

extension Notices: UNUserNotificationCenterDelegate {
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
