import AppKit

/// Runs a closure when a person chooses a menu item. AppKit finds the method through the
/// Objective-C runtime, which Linux lacks. Only this file names that runtime, so Linux can check
/// the rest.
@MainActor
final class MenuPress: NSObject {
    private let pressed: @MainActor () -> Void

    init(_ pressed: @escaping @MainActor () -> Void) {
        self.pressed = pressed
    }

    /// - Parameter key: pressed with Command; empty for none.
    func item(_ title: String, key: String) -> NSMenuItem {
        let item = NSMenuItem(title: title, action: Selector(("press")), keyEquivalent: key)
        item.target = self
        // An item does not retain its target.
        item.representedObject = self
        return item
    }

    #if canImport(ObjectiveC)
        @objc
    #endif
    func press() {
        pressed()
    }
}
