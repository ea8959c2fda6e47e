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

// MARK: commands

// doc: @MainActor @preconcurrency protocol Commands
@MainActor @preconcurrency public protocol Commands {
    // doc: associatedtype Body : Commands
    associatedtype Body: Commands
    // usr: s:7SwiftUI8CommandsP4body4BodyQzvp
    // doc: @CommandsBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @CommandsBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: Commands {}

// doc: @resultBuilder struct CommandsBuilder
@resultBuilder public struct CommandsBuilder {
    // usr: s:7SwiftUI15CommandsBuilderV10buildBlockyxxAA0C0RzlFZ
    // doc: static func buildBlock<C>(_ content: C) -> C where C : Commands
    public static func buildBlock<C>(_ content: C) -> C where C: Commands { content }
}

// usr: s:7SwiftUI12CommandGroupV
// doc: struct CommandGroup<Content> where Content : View
public struct CommandGroup<Content> where Content: View {
    package let place: CommandGroupPlacement
    package let content: Content
    // usr: s:7SwiftUI12CommandGroupV9replacing8additionACyxGAA0cD9PlacementV_xyXEtcfc
    // doc: init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content)
    nonisolated public init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) { (place, content) = (group, addition()) }
}
extension CommandGroup: Commands { public var body: Never { fatalError() } }
/// For the tests.
package protocol CommandsShown { var place: CommandGroupPlacement { get }; var shown: any View { get } }
extension CommandGroup: CommandsShown { package var shown: any View { content } }

// usr: s:7SwiftUI21CommandGroupPlacementV
// doc: struct CommandGroupPlacement
public struct CommandGroupPlacement: Sendable {
    package let name: String
    // usr: s:7SwiftUI21CommandGroupPlacementV11appSettingsACvpZ
    // doc: static let appSettings: CommandGroupPlacement
    public static let appSettings: CommandGroupPlacement = CommandGroupPlacement(name: "appSettings")
}

extension Scene {
    // usr: s:7SwiftUI5ScenePAAE8commands7contentQrqd__yXE_tAA8CommandsRd__lF
    // doc: nonisolated func commands<Content>(@CommandsBuilder content: () -> Content) -> some Scene where Content : Commands
    nonisolated public func commands<Content>(@CommandsBuilder content: () -> Content) -> some Scene where Content: Commands { self }
}
