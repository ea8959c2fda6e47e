// Combine: publishers, as far as views listen to notifications. Declarations only.
// swift-format-ignore-file
import Foundation

// memory: protocol Publisher<Output, Failure>
public protocol Publisher<Output, Failure> {
    // memory: associatedtype Output
    associatedtype Output
    // memory: associatedtype Failure : Error
    associatedtype Failure: Error
}

extension NotificationCenter {
    // memory: struct Publisher
    public struct Publisher: Combine.Publisher {
        public typealias Output = Notification
        public typealias Failure = Never
    }
    // memory: func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher { fatalError() }
}
