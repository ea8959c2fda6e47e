// SwiftUI: views and the builder that composes them. Declarations only.
// swift-format-ignore-file

// doc: @MainActor @preconcurrency protocol View
@MainActor @preconcurrency public protocol View {
    // doc: associatedtype Body : View
    associatedtype Body: View
    // doc: @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

// doc: @resultBuilder struct ViewBuilder
@resultBuilder public struct ViewBuilder {
    // doc: static func buildExpression<Content>(_ content: Content) -> Content where Content : View
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
    // sdk: static func buildBlock() -> EmptyView
    public static func buildBlock() -> EmptyView { EmptyView() }
    // doc: static func buildBlock<Content>(_ content: Content) -> Content where Content : View
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
    // usr: s:7SwiftUI11ViewBuilderV10buildBlockyAA05TupleC0VyxxQp_tGxxQpRvzAA0C0RzlFZ
    // doc: static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)> where repeat each Content : View
    public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
    where repeat each Content: View {
        var views: [any View] = []
        repeat views.append(each content)
        return TupleView(views: views)
    }
    // doc: static func buildIf<Content>(_ content: Content?) -> Content? where Content : View
    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
    // doc: static func buildEither<TrueContent, FalseContent>(first: TrueContent) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent : View, FalseContent : View
    public static func buildEither<TrueContent, FalseContent>(first: TrueContent) -> _ConditionalContent<TrueContent, FalseContent>
    where TrueContent: View, FalseContent: View { _ConditionalContent(shown: first, isFirst: true) }
    // doc: static func buildEither<TrueContent, FalseContent>(second: FalseContent) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent : View, FalseContent : View
    public static func buildEither<TrueContent, FalseContent>(second: FalseContent) -> _ConditionalContent<TrueContent, FalseContent>
    where TrueContent: View, FalseContent: View { _ConditionalContent(shown: second, isFirst: false) }
    // doc: static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content : View
    public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content: View { AnyView(shown: content) }
}

// doc: @frozen struct TupleView<T>
@frozen public struct TupleView<T> {
    package let views: [any View]
}
extension TupleView: View { public var body: Never { fatalError() } }

// hidden: has no page; what buildEither answers with, by its own
@frozen public struct _ConditionalContent<TrueContent, FalseContent> {
    package let shown: any View
    package let isFirst: Bool
}
extension _ConditionalContent: View where TrueContent: View, FalseContent: View { public var body: Never { fatalError() } }

// doc: @frozen struct EmptyView
@frozen public struct EmptyView {
    // doc: init()
    nonisolated public init() {}
}
extension EmptyView: View { public var body: Never { fatalError() } }

// doc: @frozen struct AnyView
@frozen public struct AnyView {
    package let shown: any View
}
extension AnyView: View { public var body: Never { fatalError() } }

// doc: @MainActor @preconcurrency protocol ViewModifier
@MainActor @preconcurrency public protocol ViewModifier {
    // doc: associatedtype Body : View
    associatedtype Body: View
    // doc: @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
    // hidden: the page prints no more than its name
    typealias Content = _ViewModifier_Content<Self>
}
// hidden: what a modifier is handed; its page says only that it is a proxy
public struct _ViewModifier_Content<Modifier> where Modifier: ViewModifier {
    let shown: any View
}
extension _ViewModifier_Content: View { public var body: Never { fatalError() } }

// doc: @frozen struct ModifiedContent<Content, Modifier>
@frozen public struct ModifiedContent<Content, Modifier> {
    package let content: Content
    package let modifier: Modifier
}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier { public var body: Never { fatalError() } }

extension View {
    // doc: nonisolated func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T>
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent(content: self, modifier: modifier) }
}
