// AppKit: panes under tabs. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: @MainActor class NSTabViewController
@MainActor open class NSTabViewController: NSViewController {
    package private(set) var tabs: [NSTabViewItem] = []
    // doc: @MainActor var tabStyle: NSTabViewController.TabStyle { get set }
    public var tabStyle: NSTabViewController.TabStyle = .segmentedControlOnTop
    // doc: @MainActor var selectedTabViewItemIndex: Int { get set }
    public var selectedTabViewItemIndex: Int = 0
    // doc: @MainActor func addTabViewItem(_ tabViewItem: NSTabViewItem)
    public func addTabViewItem(_ tabViewItem: NSTabViewItem) { tabs.append(tabViewItem) }
    // doc: enum TabStyle
    public enum TabStyle: Int, Sendable { case unspecified = -1, segmentedControlOnTop = 0, segmentedControlOnBottom = 1, toolbar = 2 }
}

// doc: class NSTabViewItem
open class NSTabViewItem: NSObject {
    package private(set) var shown: NSViewController?
    // doc: convenience init(viewController: NSViewController)
    public convenience init(viewController: NSViewController) {
        self.init()
        shown = viewController
    }
    // doc: var label: String { get set }
    public var label: String = ""
    // doc: var image: NSImage? { get set }
    public var image: NSImage?
}
