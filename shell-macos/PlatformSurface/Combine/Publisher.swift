// Combine: what a publisher is. Declarations only.
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
