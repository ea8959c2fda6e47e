// UserNotifications: posting one, and what is told of it. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class UNUserNotificationCenter
open class UNUserNotificationCenter: NSObject {
    // doc: class func current() -> UNUserNotificationCenter
    public class func current() -> UNUserNotificationCenter { one }
    nonisolated(unsafe) package static let one = UNUserNotificationCenter()
    package var posted: [UNNotificationRequest] = []
    // doc: weak var delegate: (any UNUserNotificationCenterDelegate)? { get set }
    public weak var delegate: (any UNUserNotificationCenterDelegate)? { get { toldOf } set { toldOf = newValue } }
    private weak var toldOf: (any UNUserNotificationCenterDelegate)?
    // async: func requestAuthorization(options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void)
    @discardableResult public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { await answers() }
    /// Whether the user lets it, once they have answered.
    nonisolated(unsafe) package var answers: @Sendable () async -> Bool = { true }
    // async: func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil)
    public func add(_ request: UNNotificationRequest) async throws { posted.append(request) }
    // doc: func removePendingNotificationRequests(withIdentifiers identifiers: [String])
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}
    // doc: func removeDeliveredNotifications(withIdentifiers identifiers: [String])
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) { posted.removeAll { identifiers.contains($0.identifier) } }
}

// doc: protocol UNUserNotificationCenterDelegate : NSObjectProtocol
// Optional on macOS; required here, as in NSApplicationDelegate.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    // doc: optional func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    // doc: optional func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification, withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
}
