// UserNotifications: what a notification is made of. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: struct UNAuthorizationOptions
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // sdk: static var sound: UNAuthorizationOptions { get }
    public static var sound: UNAuthorizationOptions { fatalError() }
    // sdk: static var alert: UNAuthorizationOptions { get }
    public static var alert: UNAuthorizationOptions { fatalError() }
}

// doc: struct UNNotificationPresentationOptions
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // doc: static var banner: UNNotificationPresentationOptions { get }
    public static var banner: UNNotificationPresentationOptions { fatalError() }
    // doc: static var list: UNNotificationPresentationOptions { get }
    public static var list: UNNotificationPresentationOptions { fatalError() }
    // doc: static var sound: UNNotificationPresentationOptions { get }
    public static var sound: UNNotificationPresentationOptions { fatalError() }
}

// doc: class UNNotificationContent
open class UNNotificationContent: NSObject {}

// doc: class UNMutableNotificationContent
open class UNMutableNotificationContent: UNNotificationContent {
    // doc: var title: String { get set }
    public var title: String { get { fatalError() } set { fatalError() } }
    // doc: var body: String { get set }
    public var body: String { get { fatalError() } set { fatalError() } }
    // doc: @NSCopying var sound: UNNotificationSound? { get set }
    public var sound: UNNotificationSound? { get { fatalError() } set { fatalError() } }
}

// doc: class UNNotificationSound
open class UNNotificationSound: NSObject {
    // doc: @NSCopying class var `default`: UNNotificationSound { get }
    public class var `default`: UNNotificationSound { fatalError() }
}

// doc: class UNNotificationTrigger
open class UNNotificationTrigger: NSObject {}

// doc: class UNNotificationRequest
open class UNNotificationRequest: NSObject {
    // doc: convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)
    public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) { fatalError() }
    // doc: var identifier: String { get }
    public var identifier: String { fatalError() }
}

// sdk: class UNNotification
open class UNNotification: NSObject {
    // doc: @NSCopying var request: UNNotificationRequest { get }
    public var request: UNNotificationRequest { fatalError() }
}

// doc: class UNNotificationResponse
open class UNNotificationResponse: NSObject {
    // doc: @NSCopying var notification: UNNotification { get }
    public var notification: UNNotification { fatalError() }
}
