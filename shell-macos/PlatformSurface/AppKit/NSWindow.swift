// AppKit: windows and what is in them. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: @MainActor class NSWindow
@MainActor open class NSWindow: NSResponder {
    // doc: @MainActor convenience init(contentViewController: NSViewController)
    public convenience init(contentViewController: NSViewController) {
        self.init()
        self.contentViewController = contentViewController
    }
    // doc: @MainActor init(contentRect: NSRect, styleMask style: NSWindow.StyleMask, backing backingStoreType: NSWindow.BackingStoreType, defer flag: Bool)
    public convenience init(
        contentRect: NSRect, styleMask style: NSWindow.StyleMask, backing backingStoreType: NSWindow.BackingStoreType, defer flag: Bool
    ) {
        self.init()
        styleMask = style
    }
    // doc: @MainActor var contentViewController: NSViewController? { get set }
    public var contentViewController: NSViewController?
    /// Those that are shown, the one in front last; and what was done with this one.
    package static var shown: [NSWindow] = []
    package var done: [String] = []
    package func pressCloseButton() { if delegate?.windowShouldClose(self) ?? true { close() } }
    private func show() {
        NSWindow.shown.removeAll { $0 === self }
        NSWindow.shown.append(self)
    }
    // doc: @MainActor var title: String { get set }
    public var title: String = ""
    // doc: @MainActor var styleMask: NSWindow.StyleMask { get set }
    public var styleMask: NSWindow.StyleMask = []
    // doc: @MainActor var isReleasedWhenClosed: Bool { get set }
    public var isReleasedWhenClosed: Bool = true
    // doc: @MainActor var isRestorable: Bool { get set }
    public var isRestorable: Bool = true
    // doc: @MainActor var level: NSWindow.Level { get set }
    public var level: NSWindow.Level = Level(rawValue: 0)
    // doc: @MainActor var hidesOnDeactivate: Bool { get set }
    public var hidesOnDeactivate: Bool = false
    // doc: @MainActor var isOnActiveSpace: Bool { get }
    public var isOnActiveSpace: Bool { isHere }
    // doc: @MainActor var occlusionState: NSWindow.OcclusionState { get }
    public var occlusionState: NSWindow.OcclusionState { isCovered ? [] : .visible }
    package var isHere = true
    package var isCovered = false
    // doc: @MainActor var toolbarStyle: NSWindow.ToolbarStyle { get set }
    public var toolbarStyle: NSWindow.ToolbarStyle = .automatic
    // doc: @MainActor var collectionBehavior: NSWindow.CollectionBehavior { get set }
    public var collectionBehavior: NSWindow.CollectionBehavior = []
    // doc: @MainActor weak var delegate: (any NSWindowDelegate)? { get set }
    public weak var delegate: (any NSWindowDelegate)? { get { toldOf } set { toldOf = newValue } }
    private weak var toldOf: (any NSWindowDelegate)?
    // doc: @MainActor func setContentSize(_ size: NSSize)
    public func setContentSize(_ size: NSSize) { done.append("size \(Int(size.width)) \(Int(size.height))") }
    // doc: @MainActor func center()
    public func center() { done.append("center") }
    // doc: @MainActor func makeKeyAndOrderFront(_ sender: Any?)
    public func makeKeyAndOrderFront(_ sender: Any?) {
        done.append("key")
        show()
        delegate?.windowDidBecomeKey(Notification(name: .init("key"), object: self))
    }
    // doc: @MainActor func orderFrontRegardless()
    public func orderFrontRegardless() {
        done.append("front")
        show()
    }
    // doc: @MainActor func close()
    public func close() {
        guard NSWindow.shown.contains(where: { $0 === self }) else { return }
        NSWindow.shown.removeAll { $0 === self }
        delegate?.windowWillClose(Notification(name: .init("close"), object: self))
    }

    // doc: struct StyleMask
    public struct StyleMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // doc: static var titled: NSWindow.StyleMask { get }
        public static var titled: NSWindow.StyleMask { NSWindow.StyleMask(rawValue: 2) }
        // doc: static var closable: NSWindow.StyleMask { get }
        public static var closable: NSWindow.StyleMask { NSWindow.StyleMask(rawValue: 4) }
        // doc: static var resizable: NSWindow.StyleMask { get }
        public static var resizable: NSWindow.StyleMask { NSWindow.StyleMask(rawValue: 8) }
        // doc: static var nonactivatingPanel: NSWindow.StyleMask { get }
        public static var nonactivatingPanel: NSWindow.StyleMask { NSWindow.StyleMask(rawValue: 128) }
    }
    // doc: struct CollectionBehavior
    public struct CollectionBehavior: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // doc: static var canJoinAllSpaces: NSWindow.CollectionBehavior { get }
        public static var canJoinAllSpaces: NSWindow.CollectionBehavior { NSWindow.CollectionBehavior(rawValue: 1) }
        // doc: static var moveToActiveSpace: NSWindow.CollectionBehavior { get }
        public static var moveToActiveSpace: NSWindow.CollectionBehavior { NSWindow.CollectionBehavior(rawValue: 16) }
        // doc: static var fullScreenAuxiliary: NSWindow.CollectionBehavior { get }
        public static var fullScreenAuxiliary: NSWindow.CollectionBehavior { NSWindow.CollectionBehavior(rawValue: 32) }
    }
    // doc: struct OcclusionState
    public struct OcclusionState: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // doc: static var visible: NSWindow.OcclusionState { get }
        public static var visible: NSWindow.OcclusionState { NSWindow.OcclusionState(rawValue: 2) }
    }
    // doc: enum BackingStoreType
    public enum BackingStoreType: UInt, Sendable { case retained = 0, nonretained = 1, buffered = 2 }
    // doc: enum ToolbarStyle
    public enum ToolbarStyle: Int, Sendable { case automatic = 0, expanded = 1, preference = 2, unified = 3, unifiedCompact = 4 }
    // doc: struct Level
    public struct Level: Hashable, RawRepresentable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        // doc: static let normal: NSWindow.Level
        public static var normal: NSWindow.Level { NSWindow.Level(rawValue: 0) }
        // doc: static let floating: NSWindow.Level
        public static var floating: NSWindow.Level { NSWindow.Level(rawValue: 64) }
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
    // doc: @MainActor optional func windowDidChangeOcclusionState(_ notification: Notification)
    @MainActor func windowDidChangeOcclusionState(_ notification: Notification)
}

// doc: @MainActor class NSPanel
// As "How Panels Work" has it, they go with their app's activity unless they are told not to.
@MainActor open class NSPanel: NSWindow {
    // hidden: of NSObject, with the panel's own default
    nonisolated public override init() {
        super.init()
        MainActor.assumeIsolated { hidesOnDeactivate = true }
    }
}

// doc: @MainActor class NSViewController
@MainActor open class NSViewController: NSResponder {
    /// Of SwiftUI; for the tests.
    package var root: Any?
    // doc: @MainActor var title: String? { get set }
    public var title: String?
}

// doc: @MainActor class NSView
@MainActor open class NSView: NSResponder {
    // doc: @MainActor init(frame frameRect: NSRect)
    public init(frame frameRect: NSRect) { super.init() }
    // doc: @MainActor init?(coder: NSCoder)
    public required init?(coder: NSCoder) { nil }
    // doc: @MainActor func setAccessibilityLabel(_ accessibilityLabel: String?)
    public func setAccessibilityLabel(_ accessibilityLabel: String?) { spoken = accessibilityLabel }
    package var spoken: String?
}
