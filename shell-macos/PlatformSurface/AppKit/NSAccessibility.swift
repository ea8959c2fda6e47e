// AppKit: words for VoiceOver to say. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: struct NSAccessibility
public struct NSAccessibility {
    /// What VoiceOver was given to say.
    @MainActor package static var said: [String] = []

    // doc: struct Notification
    public struct Notification: Hashable, Sendable {
        // doc: static let announcementRequested: NSAccessibility.Notification
        public static let announcementRequested: NSAccessibility.Notification = NSAccessibility.Notification()
    }

    // doc: struct NotificationUserInfoKey
    public struct NotificationUserInfoKey: Hashable, Sendable {
        package let name: String
        // doc: static let announcement: NSAccessibility.NotificationUserInfoKey
        public static let announcement: NSAccessibility.NotificationUserInfoKey = NSAccessibility.NotificationUserInfoKey(name: "announcement")
        // doc: static let priority: NSAccessibility.NotificationUserInfoKey
        public static let priority: NSAccessibility.NotificationUserInfoKey = NSAccessibility.NotificationUserInfoKey(name: "priority")
    }

    // doc: static func post(element: Any, notification: NSAccessibility.Notification, userInfo: [NSAccessibility.NotificationUserInfoKey : Any]?)
    public static func post(element: Any, notification: NSAccessibility.Notification, userInfo: [NSAccessibility.NotificationUserInfoKey: Any]?) {
        let words = userInfo?[.announcement] as? String
        MainActor.assumeIsolated { said += words.map { [$0] } ?? [] }
    }
}

// doc: enum NSAccessibilityPriorityLevel
public enum NSAccessibilityPriorityLevel: Int, Sendable { case low = 10, medium = 50, high = 90 }
