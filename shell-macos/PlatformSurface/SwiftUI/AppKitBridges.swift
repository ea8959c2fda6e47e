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
    // doc: static let preferredContentSize: NSHostingSizingOptions
    public static let preferredContentSize: NSHostingSizingOptions = NSHostingSizingOptions(rawValue: 2)
}

// doc: @MainActor @preconcurrency protocol NSViewRepresentable : View where Self.Body == Never
@MainActor @preconcurrency public protocol NSViewRepresentable: View where Self.Body == Never {
    // doc: associatedtype NSViewType : NSView
    associatedtype NSViewType: NSView
    // doc: @MainActor @preconcurrency func makeNSView(context: Self.Context) -> Self.NSViewType
    @MainActor @preconcurrency func makeNSView(context: Self.Context) -> Self.NSViewType
    // doc: @MainActor @preconcurrency func updateNSView(_ nsView: Self.NSViewType, context: Self.Context)
    @MainActor @preconcurrency func updateNSView(_ nsView: Self.NSViewType, context: Self.Context)
    // doc: typealias Context = NSViewRepresentableContext<Self>
    typealias Context = NSViewRepresentableContext<Self>
}
extension NSViewRepresentable {
    public var body: Never { fatalError() }
}
// doc: @MainActor @preconcurrency struct NSViewRepresentableContext<View> where View : NSViewRepresentable
@MainActor @preconcurrency public struct NSViewRepresentableContext<View> where View: NSViewRepresentable {}

extension NSWindow {
    /// What is in it, to be drawn.
    package var shownView: (any View)? { contentViewController?.root as? any View }
}
