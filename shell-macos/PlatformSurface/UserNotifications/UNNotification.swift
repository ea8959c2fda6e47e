// UserNotifications: what a notification is made of. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// memory: struct UNAuthorizationOptions
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // memory: static var sound: UNAuthorizationOptions { get }
    public static var sound: UNAuthorizationOptions { fatalError() }
    // memory: static var alert: UNAuthorizationOptions { get }
    public static var alert: UNAuthorizationOptions { fatalError() }
}

// memory: struct UNNotificationPresentationOptions
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // memory: static var banner: UNNotificationPresentationOptions { get }
    public static var banner: UNNotificationPresentationOptions { fatalError() }
    // memory: static var list: UNNotificationPresentationOptions { get }
    public static var list: UNNotificationPresentationOptions { fatalError() }
    // memory: static var sound: UNNotificationPresentationOptions { get }
    public static var sound: UNNotificationPresentationOptions { fatalError() }
}

// memory: class UNNotificationContent
open class UNNotificationContent: NSObject {}

// memory: class UNMutableNotificationContent
open class UNMutableNotificationContent: UNNotificationContent {
    // memory: var title: String { get set }
    public var title: String { get { fatalError() } set { fatalError() } }
    // memory: var body: String { get set }
    public var body: String { get { fatalError() } set { fatalError() } }
    // memory: @NSCopying var sound: UNNotificationSound? { get set }
    public var sound: UNNotificationSound? { get { fatalError() } set { fatalError() } }
}

// memory: class UNNotificationSound
open class UNNotificationSound: NSObject {
    // memory: class var `default`: UNNotificationSound { get }
    public class var `default`: UNNotificationSound { fatalError() }
}

// memory: class UNNotificationTrigger
open class UNNotificationTrigger: NSObject {}

// doc: class UNNotificationRequest
open class UNNotificationRequest: NSObject {
    // doc: convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)
    public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) { fatalError() }
    // memory: var identifier: String { get }
    public var identifier: String { fatalError() }
}

// memory: class UNNotification
open class UNNotification: NSObject {
    // memory: var request: UNNotificationRequest { get }
    public var request: UNNotificationRequest { fatalError() }
}

// memory: class UNNotificationResponse
open class UNNotificationResponse: NSObject {
    // memory: var notification: UNNotification { get }
    public var notification: UNNotification { fatalError() }
}
