// AppKit: the menu bar's items, their buttons and images. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class NSStatusBar
open class NSStatusBar: NSObject {
    nonisolated(unsafe) package static let one = NSStatusBar()
    package var made: [NSStatusItem] = []
    // doc: class var system: NSStatusBar { get }
    public class var system: NSStatusBar { one }
    // doc: func statusItem(withLength length: CGFloat) -> NSStatusItem
    public func statusItem(withLength length: CGFloat) -> NSStatusItem {
        let item = NSStatusItem()
        item.length = length
        made.append(item)
        return item
    }
}

// doc: class NSStatusItem
open class NSStatusItem: NSObject {
    package var length: CGFloat = 0
    // doc: class let variableLength: CGFloat
    public class var variableLength: CGFloat { -1 }
    // doc: typealias AutosaveName = String
    public typealias AutosaveName = String
    /// A Mac has kept it as dragged out.
    // doc: var autosaveName: NSStatusItem.AutosaveName! { get set }
    public var autosaveName: NSStatusItem.AutosaveName! { didSet { isVisible = false } }
    // doc: var isVisible: Bool { get set }
    public var isVisible: Bool = true
    // doc: var behavior: NSStatusItem.Behavior { get set }
    public var behavior: NSStatusItem.Behavior = []
    // doc: var menu: NSMenu? { get set }
    public var menu: NSMenu?
    // doc: var button: NSStatusBarButton? { get }
    public var button: NSStatusBarButton? { drawn }
    private let drawn = MainActor.assumeIsolated { NSStatusBarButton(frame: .zero) }
    // doc: struct Behavior
    public struct Behavior: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // doc: static var removalAllowed: NSStatusItem.Behavior { get }
        public static var removalAllowed: NSStatusItem.Behavior { NSStatusItem.Behavior(rawValue: 2) }
    }
}

// doc: @MainActor class NSControl
@MainActor open class NSControl: NSView {
    // doc: enum ImagePosition
    public enum ImagePosition: UInt, Sendable {
        case noImage = 0, imageOnly = 1, imageLeft = 2, imageRight = 3, imageBelow = 4, imageAbove = 5, imageOverlaps = 6, imageLeading = 7,
            imageTrailing = 8
    }
}

// doc: @MainActor class NSButton
@MainActor open class NSButton: NSControl {
    // doc: @MainActor var title: String { get set }
    public var title: String = "Button"
    // doc: @MainActor var image: NSImage? { get set }
    public var image: NSImage?
    // doc: @MainActor var imagePosition: NSControl.ImagePosition { get set }
    public var imagePosition: NSControl.ImagePosition = .noImage
}

// doc: @MainActor class NSStatusBarButton
@MainActor open class NSStatusBarButton: NSButton {}

// doc: class NSImage
open class NSImage: NSObject {
    package private(set) var symbol: String = ""
    // doc: convenience init?(systemSymbolName name: String, accessibilityDescription description: String?)
    public convenience init?(systemSymbolName name: String, accessibilityDescription description: String?) {
        self.init()
        symbol = name
    }
}
