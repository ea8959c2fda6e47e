// AppKit: menus and what is in them. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: struct Selector
public struct Selector: Hashable, Sendable {
    package let name: String
    // doc: init(_ str: String)
    public init(_ str: String) { name = str }
}

// doc: class NSMenu
open class NSMenu: NSObject {
    // doc: var items: [NSMenuItem] { get set }
    public var items: [NSMenuItem] = []
    // doc: var autoenablesItems: Bool { get set }
    public var autoenablesItems: Bool = true
}

// doc: class NSMenuItem
open class NSMenuItem: NSObject {
    package let title: String
    package let action: Selector?
    package let keyEquivalent: String
    // doc: init(title string: String, action selector: Selector?, keyEquivalent charCode: String)
    public init(title string: String, action selector: Selector?, keyEquivalent charCode: String) {
        (title, action, keyEquivalent) = (string, selector, charCode)
    }
    // doc: class func separator() -> NSMenuItem
    public class func separator() -> NSMenuItem { NSMenuItem(title: "-", action: nil, keyEquivalent: "") }
    // doc: weak var target: AnyObject? { get set }
    public weak var target: AnyObject? { get { told } set { told = newValue } }
    private weak var told: AnyObject?
    // doc: var representedObject: Any? { get set }
    public var representedObject: Any?
    // doc: var isEnabled: Bool { get set }
    public var isEnabled: Bool = true
}
