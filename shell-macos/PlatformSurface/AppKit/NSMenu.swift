// AppKit: the application's menu. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class NSMenu
open class NSMenu: NSObject {
    // doc: var items: [NSMenuItem] { get set }
    public var items: [NSMenuItem] = []
    // doc: func performActionForItem(at index: Int)
    public func performActionForItem(at index: Int) { pressed.append(index) }
    package var pressed: [Int] = []
}

// doc: class NSMenuItem
open class NSMenuItem: NSObject {
    // doc: var submenu: NSMenu? { get set }
    public var submenu: NSMenu?
    // doc: var keyEquivalent: String { get set }
    public var keyEquivalent: String = ""
}
