// AppKit: windows and what is in them. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: @MainActor class NSWindow
@MainActor open class NSWindow: NSResponder {
    // doc: @MainActor convenience init(contentViewController: NSViewController)
    public convenience init(contentViewController: NSViewController) { fatalError() }
    // doc: @MainActor var title: String { get set }
    public var title: String { get { fatalError() } set { fatalError() } }
    // doc: @MainActor var styleMask: NSWindow.StyleMask { get set }
    public var styleMask: NSWindow.StyleMask { get { fatalError() } set { fatalError() } }
    // doc: @MainActor var isReleasedWhenClosed: Bool { get set }
    public var isReleasedWhenClosed: Bool { get { fatalError() } set { fatalError() } }
    // doc: @MainActor var isRestorable: Bool { get set }
    public var isRestorable: Bool { get { fatalError() } set { fatalError() } }
    // doc: @MainActor var level: NSWindow.Level { get set }
    public var level: NSWindow.Level { get { fatalError() } set { fatalError() } }
    // doc: @MainActor var collectionBehavior: NSWindow.CollectionBehavior { get set }
    public var collectionBehavior: NSWindow.CollectionBehavior { get { fatalError() } set { fatalError() } }
    // doc: @MainActor weak var delegate: (any NSWindowDelegate)? { get set }
    public weak var delegate: (any NSWindowDelegate)? { get { fatalError() } set { fatalError() } }
    // doc: @MainActor func center()
    public func center() { fatalError() }
    // doc: @MainActor func makeKeyAndOrderFront(_ sender: Any?)
    public func makeKeyAndOrderFront(_ sender: Any?) { fatalError() }
    // doc: @MainActor func orderFrontRegardless()
    public func orderFrontRegardless() { fatalError() }
    // doc: @MainActor func close()
    public func close() { fatalError() }
    // doc: class let didBecomeKeyNotification: NSNotification.Name
    nonisolated public class var didBecomeKeyNotification: NSNotification.Name { fatalError() }
    // doc: class let willCloseNotification: NSNotification.Name
    nonisolated public class var willCloseNotification: NSNotification.Name { fatalError() }

    // doc: struct StyleMask
    public struct StyleMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // doc: static var titled: NSWindow.StyleMask { get }
        public static var titled: NSWindow.StyleMask { fatalError() }
        // doc: static var closable: NSWindow.StyleMask { get }
        public static var closable: NSWindow.StyleMask { fatalError() }
        // doc: static var resizable: NSWindow.StyleMask { get }
        public static var resizable: NSWindow.StyleMask { fatalError() }
    }
    // doc: struct CollectionBehavior
    public struct CollectionBehavior: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // doc: static var moveToActiveSpace: NSWindow.CollectionBehavior { get }
        public static var moveToActiveSpace: NSWindow.CollectionBehavior { fatalError() }
        // doc: static var fullScreenAuxiliary: NSWindow.CollectionBehavior { get }
        public static var fullScreenAuxiliary: NSWindow.CollectionBehavior { fatalError() }
    }
    // doc: struct Level
    public struct Level: Hashable, RawRepresentable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        // doc: static let floating: NSWindow.Level
        public static var floating: NSWindow.Level { fatalError() }
    }
}

// doc: protocol NSWindowDelegate : NSObjectProtocol
// Optional on macOS; required here, as in NSApplicationDelegate.
public protocol NSWindowDelegate: NSObjectProtocol {
    // doc: @MainActor optional func windowShouldClose(_ sender: NSWindow) -> Bool
    @MainActor func windowShouldClose(_ sender: NSWindow) -> Bool
    // doc: @MainActor optional func windowWillClose(_ notification: Notification)
    @MainActor func windowWillClose(_ notification: Notification)
    // doc: @MainActor optional func windowDidBecomeKey(_ notification: Notification)
    @MainActor func windowDidBecomeKey(_ notification: Notification)
}

// doc: @MainActor class NSViewController
@MainActor open class NSViewController: NSResponder {}

// doc: @MainActor class NSView
@MainActor open class NSView: NSResponder {
    // doc: @MainActor init(frame frameRect: NSRect)
    public init(frame frameRect: NSRect) { fatalError() }
    // doc: @MainActor init?(coder: NSCoder)
    public required init?(coder: NSCoder) { fatalError() }
    // doc: @MainActor unowned(unsafe) var window: NSWindow? { get }
    public var window: NSWindow? { fatalError() }
    // doc: @MainActor func viewDidMoveToWindow()
    open func viewDidMoveToWindow() { fatalError() }
}
