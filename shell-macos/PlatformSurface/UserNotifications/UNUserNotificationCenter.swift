// UserNotifications: posting one, and what is told of it. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class UNUserNotificationCenter
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    // memory: class func current() -> UNUserNotificationCenter
    public class func current() -> UNUserNotificationCenter { fatalError() }
    // memory: weak var delegate: (any UNUserNotificationCenterDelegate)? { get set }
    public weak var delegate: (any UNUserNotificationCenterDelegate)?
    // memory: func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool
    @discardableResult public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { fatalError() }
    // memory: func add(_ request: UNNotificationRequest) async throws
    public func add(_ request: UNNotificationRequest) async throws { fatalError() }
    // memory: func removePendingNotificationRequests(withIdentifiers identifiers: [String])
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) { fatalError() }
    // memory: func removeDeliveredNotifications(withIdentifiers identifiers: [String])
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) { fatalError() }
}

// doc: protocol UNUserNotificationCenterDelegate : NSObjectProtocol
// Optional on macOS; required here, as in NSApplicationDelegate.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    // doc: optional func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    // memory: optional func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification, withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
}
