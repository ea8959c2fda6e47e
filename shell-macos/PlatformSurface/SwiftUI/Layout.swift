// SwiftUI: containers and where things stand. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: @frozen struct HStack<Content> where Content : View
@frozen public struct HStack<Content> where Content: View {
    package let content: Content
    // doc: init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    nonisolated public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
}
extension HStack: View { public var body: Never { fatalError() } }

// doc: @frozen struct VStack<Content> where Content : View
@frozen public struct VStack<Content> where Content: View {
    package let content: Content
    // doc: init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    nonisolated public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
}
extension VStack: View { public var body: Never { fatalError() } }

// doc: struct LazyVStack<Content> where Content : View
public struct LazyVStack<Content> where Content: View {
    package let content: Content
    // doc: init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content)
    nonisolated public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}
extension LazyVStack: View { public var body: Never { fatalError() } }

// doc: struct PinnedScrollableViews
public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

// doc: @frozen struct Group<Content>
@frozen public struct Group<Content> {
    package let content: Content
}
extension Group: View where Content: View {
    // doc: nonisolated init(@ViewBuilder content: () -> Content)
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Never { fatalError() }
}

// doc: @frozen struct Spacer
@frozen public struct Spacer {
    // doc: init(minLength: CGFloat? = nil)
    nonisolated public init(minLength: CGFloat? = nil) {}
}
extension Spacer: View { public var body: Never { fatalError() } }

// doc: struct Divider
public struct Divider {
    // doc: init()
    nonisolated public init() {}
}
extension Divider: View { public var body: Never { fatalError() } }

// doc: struct ScrollView<Content> where Content : View
public struct ScrollView<Content> where Content: View {
    package let content: Content
    // doc: init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content)
    nonisolated public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) { self.content = content() }
}
extension ScrollView: View { public var body: Never { fatalError() } }

// doc: @frozen struct GeometryReader<Content> where Content : View
@frozen public struct GeometryReader<Content> where Content: View {
    let content: (GeometryProxy) -> Content
    // doc: init(@ViewBuilder content: @escaping (GeometryProxy) -> Content)
    nonisolated public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }
}
extension GeometryReader: View { public var body: Never { fatalError() } }

// doc: struct GeometryProxy
public struct GeometryProxy {
    private let room: CGSize
    let markBottom: CGFloat
    init(size: CGSize, markBottom: CGFloat) { (room, self.markBottom) = (size, markBottom) }
    // doc: var size: CGSize { get }
    public var size: CGSize { room }
    // usr: s:7SwiftUI13GeometryProxyV5frame2inSo6CGRectVAA15CoordinateSpaceO_tF
    // doc: func frame(in coordinateSpace: CoordinateSpace) -> CGRect
    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { CGRect(x: 0, y: markBottom - 1, width: 1, height: 1) }
}

// doc: enum CoordinateSpace
public enum CoordinateSpace {
    case global
    case local
    case named(AnyHashable)
}

extension View {
    // doc: nonisolated func coordinateSpace<T>(name: T) -> some View where T : Hashable
    nonisolated public func coordinateSpace<T>(name: T) -> some View where T: Hashable { self }
    // doc: nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    // usr: s:7SwiftUI4ViewPAAE7paddingyQr14CoreFoundation7CGFloatVF
    // doc: nonisolated func padding(_ length: CGFloat) -> some View
    nonisolated public func padding(_ length: CGFloat) -> some View { self }
    // doc: nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View
    nonisolated public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        Modified(content: self, change: .width(width))
    }
    // doc: nonisolated func frame(minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center) -> some View
    nonisolated public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    // doc: nonisolated func fixedSize() -> some View
    nonisolated public func fixedSize() -> some View { self }
    // doc: nonisolated func fixedSize(horizontal: Bool, vertical: Bool) -> some View
    nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    // doc: nonisolated func background<S>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View where S : ShapeStyle
    nonisolated public func background<S>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View where S: ShapeStyle {
        self
    }
    // doc: nonisolated func background<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V : View
    nonisolated public func background<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
        Modified(content: self, change: .beside(content()))
    }
    // doc: nonisolated func overlay<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V : View
    nonisolated public func overlay<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
        Modified(content: self, change: .beside(content()))
    }
}

// doc: @frozen struct Grid<Content> where Content : View
@frozen public struct Grid<Content> where Content: View {
    package let content: Content
    // doc: init(alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    nonisolated public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
}
extension Grid: View { public var body: Never { fatalError() } }

// doc: @frozen struct GridRow<Content> where Content : View
@frozen public struct GridRow<Content> where Content: View {
    package let content: Content
    // doc: init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content)
    nonisolated public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
}
extension GridRow: View { public var body: Never { fatalError() } }
extension View {
    // doc: nonisolated func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View
    nonisolated public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }
}

// doc: @frozen enum Edge
@frozen public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing
    // doc: @frozen struct Set
    @frozen public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        // doc: static let all: Edge.Set
        public static let all: Edge.Set = Edge.Set(rawValue: 15)
        // doc: static let horizontal: Edge.Set
        public static let horizontal: Edge.Set = Edge.Set(rawValue: 2)
        // doc: static let top: Edge.Set
        public static let top: Edge.Set = Edge.Set(rawValue: 4)
        // doc: static let bottom: Edge.Set
        public static let bottom: Edge.Set = Edge.Set(rawValue: 8)
    }
}

// doc: @frozen enum Axis
@frozen public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal, vertical
    // doc: @frozen struct Set
    @frozen public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        // doc: static let vertical: Axis.Set
        public static let vertical: Axis.Set = Axis.Set(rawValue: 1)
    }
}

// doc: @frozen struct HorizontalAlignment
@frozen public struct HorizontalAlignment: Equatable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let leading: HorizontalAlignment
    public static let leading: HorizontalAlignment = HorizontalAlignment(name: "leading")
    // doc: static let center: HorizontalAlignment
    public static let center: HorizontalAlignment = HorizontalAlignment(name: "center")
    // doc: static let trailing: HorizontalAlignment
    public static let trailing: HorizontalAlignment = HorizontalAlignment(name: "trailing")
}

// doc: @frozen struct VerticalAlignment
@frozen public struct VerticalAlignment: Equatable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let top: VerticalAlignment
    public static let top: VerticalAlignment = VerticalAlignment(name: "top")
    // doc: static let center: VerticalAlignment
    public static let center: VerticalAlignment = VerticalAlignment(name: "center")
    // doc: static let firstTextBaseline: VerticalAlignment
    public static let firstTextBaseline: VerticalAlignment = VerticalAlignment(name: "firstTextBaseline")
}

// doc: @frozen struct Alignment
@frozen public struct Alignment: Equatable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let center: Alignment
    public static let center: Alignment = Alignment(name: "center")
    // doc: static let leading: Alignment
    public static let leading: Alignment = Alignment(name: "leading")
    // doc: static var leadingFirstTextBaseline: Alignment { get }
    public static var leadingFirstTextBaseline: Alignment { Alignment(name: "leadingFirstTextBaseline") }
}
