import AppKit
import SwiftUI

/// One window and its events. It has the system's look: titled, closable, centred, never restored.
@MainActor
final class KeptWindow: NSObject, NSWindowDelegate {
    enum Kind {
        /// Settings and Get Started stand among the windows of other apps. A window that the user
        /// asked for stands above them.
        case settings, askedFor
        /// A panel that appears on each space and beside a full-screen app. It can have the keys
        /// without making this app the active one.
        case comesUnasked
    }

    var onCameToFront: @MainActor () -> Void = {}
    var onSeen: @MainActor () -> Void = {}
    /// Asked when a person presses the close button; true closes the window.
    var onClosing: @MainActor () -> Bool = { true }
    var onClosed: @MainActor () -> Void = {}
    private let window: NSWindow

    convenience init(_ content: some View, title: String, size: NSSize, _ kind: Kind = .askedFor, isResizable: Bool = false) {
        let controller = NSHostingController(rootView: content)
        // A window that SwiftUI sizes overflows the stack of macOS 26 if something moves during
        // layout (github.com/my-monkeys/OpenSuperWhisper/pull/20). It is also centred before it has
        // a size.
        controller.sizingOptions = isResizable ? [.minSize] : []
        self.init(controller, title: title, size: size, kind, isResizable: isResizable)
    }

    /// - Parameter size: the size of the content, as the rules measure it.
    init(_ controller: NSViewController, title: String, size: NSSize, _ kind: Kind, isResizable: Bool) {
        let style: NSWindow.StyleMask = isResizable ? [.titled, .closable, .resizable] : [.titled, .closable]
        // A style that is set later makes no panel non-activating
        // (philz.blog/nspanel-nonactivating-style-mask-flag).
        window =
            kind == .comesUnasked
            ? NSPanel(contentRect: .zero, styleMask: style.union(.nonactivatingPanel), backing: .buffered, defer: false)
            : NSWindow(contentRect: .zero, styleMask: style, backing: .buffered, defer: false)
        super.init()
        window.contentViewController = controller
        window.title = title
        window.isReleasedWhenClosed = false
        window.isRestorable = false
        window.hidesOnDeactivate = false
        window.level = kind == .settings ? .normal : .floating
        // Puts the toolbar's buttons under the title, as in the settings of a Mac.
        window.toolbarStyle = .preference
        window.collectionBehavior = [kind == .comesUnasked ? .canJoinAllSpaces : .moveToActiveSpace, .fullScreenAuxiliary]
        window.delegate = self
        window.setContentSize(size)
        window.center()
    }

    var isInSight: Bool { window.isOnActiveSpace && window.occlusionState.contains(.visible) }

    func comeToFront() {
        Activation.bring(window)
    }

    /// Takes no keys: text that is typed into another app must not answer a question.
    /// - Parameter spoken: for VoiceOver, whose cursor stays in that app.
    func standInFront(spoken: String) {
        window.orderFrontRegardless()
        NSAccessibility.post(
            element: window, notification: .announcementRequested,
            userInfo: [.announcement: spoken, .priority: NSAccessibilityPriorityLevel.high.rawValue])
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

    func windowDidChangeOcclusionState(_ notification: Notification) {
        if isInSight { onSeen() }
    }
}
