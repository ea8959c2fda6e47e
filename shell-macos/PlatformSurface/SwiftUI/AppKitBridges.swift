// SwiftUI: its views in AppKit's windows, and AppKit's in its own. Declarations only.
// swift-format-ignore-file
import AppKit

// doc: @MainActor @preconcurrency class NSHostingController<Content> where Content : View
@MainActor @preconcurrency open class NSHostingController<Content>: NSViewController where Content: View {
    // doc: @MainActor @preconcurrency init(rootView: Content)
    @MainActor @preconcurrency public init(rootView: Content) {
        sizingOptions = []
        super.init()
        root = rootView
    }
    // doc: @MainActor @preconcurrency var sizingOptions: NSHostingSizingOptions { get set }
    @MainActor @preconcurrency public var sizingOptions: NSHostingSizingOptions
}

// doc: struct NSHostingSizingOptions
public struct NSHostingSizingOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // doc: static let minSize: NSHostingSizingOptions
    public static let minSize: NSHostingSizingOptions = NSHostingSizingOptions(rawValue: 1)
}

extension NSWindow {
    /// What is in it, to be drawn.
    package var shownView: (any View)? { contentViewController?.root as? any View }
}
