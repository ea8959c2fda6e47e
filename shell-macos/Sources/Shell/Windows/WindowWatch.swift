import AppKit
import SwiftUI

/// Tells when the window that a view is in comes and goes: a Settings scene keeps its views when its window is closed.
struct WindowWatch: ViewModifier {
    let onOpened: @MainActor () -> Void
    let onClosed: @MainActor () -> Void
    @State private var window: NSWindow?

    func body(content: Content) -> some View {
        content
            .background {
                WindowFinder { found in
                    window = found
                    // It may have become key before it was found.
                    if found != nil { onOpened() }
                }
            }
            .onReceive(NotificationCenter.default.publisher(for: NSWindow.didBecomeKeyNotification)) { note in
                if isOurs(note) { onOpened() }
            }
            .onReceive(NotificationCenter.default.publisher(for: NSWindow.willCloseNotification)) { note in
                if isOurs(note) { onClosed() }
            }
    }

    private func isOurs(_ note: Notification) -> Bool {
        guard let window, let other = note.object as? NSWindow else { return false }
        return window === other
    }
}

private struct WindowFinder: NSViewRepresentable {
    let found: @MainActor (NSWindow?) -> Void

    func makeNSView(context: Context) -> FinderView {
        FinderView(found)
    }

    func updateNSView(_ nsView: FinderView, context: Context) {}

    final class FinderView: NSView {
        private let found: @MainActor (NSWindow?) -> Void

        init(_ found: @escaping @MainActor (NSWindow?) -> Void) {
            self.found = found
            super.init(frame: .zero)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) {
            nil
        }

        override func viewDidMoveToWindow() {
            super.viewDidMoveToWindow()
            // Not within the update of views that puts this one into its window.
            Task { found(window) }
        }
    }
}
