// UserNotifications: what a notification is made of. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: struct UNAuthorizationOptions
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // sdk: static var sound: UNAuthorizationOptions { get }
    public static var sound: UNAuthorizationOptions { UNAuthorizationOptions(rawValue: 2) }
    // sdk: static var alert: UNAuthorizationOptions { get }
    public static var alert: UNAuthorizationOptions { UNAuthorizationOptions(rawValue: 4) }
}

// doc: struct UNNotificationPresentationOptions
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // doc: static var banner: UNNotificationPresentationOptions { get }
    public static var banner: UNNotificationPresentationOptions { UNNotificationPresentationOptions(rawValue: 8) }
    // doc: static var list: UNNotificationPresentationOptions { get }
    public static var list: UNNotificationPresentationOptions { UNNotificationPresentationOptions(rawValue: 16) }
    // doc: static var sound: UNNotificationPresentationOptions { get }
    public static var sound: UNNotificationPresentationOptions { UNNotificationPresentationOptions(rawValue: 32) }
}

// doc: class UNNotificationContent
open class UNNotificationContent: NSObject {}

// doc: class UNMutableNotificationContent
open class UNMutableNotificationContent: UNNotificationContent {
    // doc: var title: String { get set }
    public var title: String = ""
    // doc: var body: String { get set }
    public var body: String = ""
    // doc: @NSCopying var sound: UNNotificationSound? { get set }
    public var sound: UNNotificationSound?
}

// doc: class UNNotificationSound
open class UNNotificationSound: NSObject {
    // doc: @NSCopying class var `default`: UNNotificationSound { get }
    public class var `default`: UNNotificationSound { UNNotificationSound() }
}

// doc: class UNNotificationTrigger
open class UNNotificationTrigger: NSObject {}

// doc: class UNNotificationRequest
open class UNNotificationRequest: NSObject {
    // doc: convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)
    public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.init()
        (self.identifier, self.content) = (identifier, content)
    }
    package private(set) var content = UNNotificationContent()
    // doc: var identifier: String { get }
    public private(set) var identifier = ""
}

// sdk: class UNNotification
open class UNNotification: NSObject {
    package var asked = UNNotificationRequest()
    // doc: @NSCopying var request: UNNotificationRequest { get }
    public var request: UNNotificationRequest { asked }
}

// doc: class UNNotificationResponse
open class UNNotificationResponse: NSObject {
    package var shown = UNNotification()
    // doc: @NSCopying var notification: UNNotification { get }
    public var notification: UNNotification { shown }
}
