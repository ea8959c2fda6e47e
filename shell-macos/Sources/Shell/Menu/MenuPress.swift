import AppKit

/// What choosing an item of a menu does. AppKit finds it through the Objective-C runtime, which
/// Linux has not: this file alone names it, so that the rest can be checked there.
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
        // An item holds no target.
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
