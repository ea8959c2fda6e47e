// Combine: publishers, as far as views listen to notifications. Declarations only.
// swift-format-ignore-file
import Foundation

// usr: s:7Combine9PublisherP
// doc: protocol Publisher<Output, Failure>
public protocol Publisher<Output, Failure> {
    // usr: s:7Combine9PublisherP6OutputQa
    // doc: associatedtype Output
    associatedtype Output
    // usr: s:7Combine9PublisherP7FailureQa
    // doc: associatedtype Failure : Error
    associatedtype Failure: Error
}

extension NotificationCenter {
    // doc: struct Publisher
    public struct Publisher: Combine.Publisher {
        package let name: Notification.Name
        public typealias Output = Notification
        public typealias Failure = Never
    }
    // doc: func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher { Publisher(name: name) }
}
