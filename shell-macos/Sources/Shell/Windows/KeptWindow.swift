import AppKit
import SwiftUI

/// One window, and what happens to it. Of the system's making: titled, closable, centred, never
/// restored.
@MainActor
final class KeptWindow: NSObject, NSWindowDelegate {
    var onCameToFront: @MainActor () -> Void = {}
    /// Asked when its close button is pressed.
    var onClosing: @MainActor () -> Bool = { true }
    var onClosed: @MainActor () -> Void = {}
    private let window: NSWindow

    /// - Parameter size: of a window that can be resized, as its content wants it; one that can't
    ///   be follows its content.
    convenience init(_ content: some View, title: String, size: NSSize? = nil) {
        let controller = NSHostingController(rootView: content)
        controller.sizingOptions = size != nil ? [.minSize] : [.preferredContentSize]
        self.init(controller, title: title, size: size, level: .floating)
    }

    init(_ controller: NSViewController, title: String, size: NSSize?, level: NSWindow.Level) {
        window = NSWindow(contentViewController: controller)
        super.init()
        window.title = title
        window.styleMask = size != nil ? [.titled, .closable, .resizable] : [.titled, .closable]
        window.isReleasedWhenClosed = false
        window.isRestorable = false
        window.level = level
        // Of one that has a toolbar: its buttons stand under the title, as in settings of a Mac.
        window.toolbarStyle = .preference
        window.collectionBehavior = [.moveToActiveSpace, .fullScreenAuxiliary]
        window.delegate = self
        if let size { window.setContentSize(size) }
        window.center()
    }

    func comeToFront() {
        Activation.bring(window)
    }

    /// Without the keys: what is being typed into another app must not answer a question.
    func standInFront() {
        window.orderFrontRegardless()
        NSApplication.shared.requestUserAttention(.informationalRequest)
    }

    func close() {
        window.close()
    }

    func windowShouldClose(_ sender: NSWindow) -> Bool {
        onClosing()
    }

    func windowWillClose(_ notification: Notification) {
        onClosed()
    }

    func windowDidBecomeKey(_ notification: Notification) {
        onCameToFront()
    }
}
