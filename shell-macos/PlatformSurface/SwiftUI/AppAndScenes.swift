// SwiftUI: the app and its scenes. Declarations only.
// swift-format-ignore-file
import AppKit
import Foundation

// doc: @MainActor @preconcurrency protocol App
@MainActor @preconcurrency public protocol App {
    // doc: associatedtype Body : Scene
    associatedtype Body: Scene
    // doc: @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    // doc: @MainActor @preconcurrency init()
    @MainActor @preconcurrency init()
}
extension App {
    // doc: @MainActor @preconcurrency static func main()
    @MainActor @preconcurrency public static func main() { fatalError("The platform surface is for type checks only.") }
}

// doc: @MainActor @preconcurrency protocol Scene
@MainActor @preconcurrency public protocol Scene {
    // doc: associatedtype Body : Scene
    associatedtype Body: Scene
    // doc: @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: Scene {}

// doc: @resultBuilder struct SceneBuilder
@resultBuilder public struct SceneBuilder {
    // doc: static func buildExpression<Content>(_ content: Content) -> Content where Content : Scene
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
    // doc: static func buildBlock<Content>(_ content: Content) -> Content where Content : Scene
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
    // sdk: static func buildBlock<C0, C1>(_ c0: C0, _ c1: C1) -> some Scene where C0 : Scene, C1 : Scene
    public static func buildBlock<C0, C1>(_ c0: C0, _ c1: C1) -> some Scene where C0: Scene, C1: Scene { c0 }
}

// usr: s:7SwiftUI12MenuBarExtraV
// doc: struct MenuBarExtra<Label, Content> where Label : View, Content : View
public struct MenuBarExtra<Label, Content> where Label: View, Content: View {
    package let isInserted: Binding<Bool>
    // usr: s:7SwiftUI12MenuBarExtraV10isInserted7content5labelACyxq_GAA7BindingVySbG_q_yXExyXEtcfc
    // doc: init(isInserted: Binding<Bool>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label)
    nonisolated public init(isInserted: Binding<Bool>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { self.isInserted = isInserted }
}
extension MenuBarExtra: Scene { public var body: Never { fatalError() } }

// doc: struct Settings<Content> where Content : View
public struct Settings<Content> where Content: View {
    // doc: init(@ViewBuilder content: () -> Content)
    nonisolated public init(@ViewBuilder content: () -> Content) { fatalError() }
}
extension Settings: Scene { public var body: Never { fatalError() } }

// usr: s:7SwiftUI28NSApplicationDelegateAdaptorV
// doc: @MainActor @preconcurrency @propertyWrapper struct NSApplicationDelegateAdaptor<DelegateType> where DelegateType : NSObject, DelegateType : NSApplicationDelegate
@MainActor @preconcurrency @propertyWrapper public struct NSApplicationDelegateAdaptor<DelegateType>: DynamicProperty
where DelegateType: NSObject, DelegateType: NSApplicationDelegate {
    // usr: s:7SwiftUI28NSApplicationDelegateAdaptorVyACyxGxmcfc
    // doc: @MainActor @preconcurrency init(_ delegateType: DelegateType.Type = DelegateType.self)
    @MainActor @preconcurrency public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError() }
    // doc: @MainActor @preconcurrency var wrappedValue: DelegateType { get }
    @MainActor @preconcurrency public var wrappedValue: DelegateType { fatalError() }
}

/// For the tests.
package protocol Insertable { var isInserted: Binding<Bool> { get } }
extension MenuBarExtra: Insertable {}
