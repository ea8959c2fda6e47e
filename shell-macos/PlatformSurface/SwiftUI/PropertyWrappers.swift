// SwiftUI: state, bindings, and what a view is given by its surroundings. Declarations only.
// swift-format-ignore-file
import Combine

// doc: protocol DynamicProperty
public protocol DynamicProperty {}

// doc: @frozen @propertyWrapper struct State<Value>
@frozen @propertyWrapper public struct State<Value>: DynamicProperty {
    // doc: init(wrappedValue value: Value)
    public init(wrappedValue value: Value) { fatalError() }
    // doc: var wrappedValue: Value { get nonmutating set }
    public var wrappedValue: Value { get { fatalError() } nonmutating set { fatalError() } }
    // doc: var projectedValue: Binding<Value> { get }
    public var projectedValue: Binding<Value> { fatalError() }
}
extension State where Value: ExpressibleByNilLiteral {
    // doc: init()
    public init() { fatalError() }
}
extension State: Sendable where Value: Sendable {}

// doc: @frozen @propertyWrapper @dynamicMemberLookup struct Binding<Value>
@frozen @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    // hidden: @_inheritActorContext on both closures; without it every Binding(get:set:) in a view would be refused
    // usr: s:7SwiftUI7BindingV3get3setACyxGxyc_yxctcfc
    // doc: @preconcurrency init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void)
    @preconcurrency public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) { fatalError() }
    // doc: var wrappedValue: Value { get nonmutating set }
    public var wrappedValue: Value { get { fatalError() } nonmutating set { fatalError() } }
    // doc: var projectedValue: Binding<Value> { get }
    public var projectedValue: Binding<Value> { fatalError() }
    // doc: subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { get }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}
extension Binding: @unchecked Sendable where Value: Sendable {}

// doc: @MainActor @propertyWrapper @preconcurrency @frozen struct ObservedObject<ObjectType> where ObjectType : ObservableObject
@MainActor @preconcurrency @propertyWrapper @frozen public struct ObservedObject<ObjectType>: DynamicProperty
where ObjectType: ObservableObject {
    // usr: s:7SwiftUI14ObservedObjectV7WrapperV
    // doc: @MainActor @dynamicMemberLookup @frozen @preconcurrency struct Wrapper
    @MainActor @dynamicMemberLookup @preconcurrency @frozen public struct Wrapper {
        // doc: @MainActor @preconcurrency subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject> { get }
        @MainActor @preconcurrency public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> { fatalError() }
    }
    // usr: s:7SwiftUI14ObservedObjectV12wrappedValueACyxGx_tcfc
    // doc: @MainActor @preconcurrency init(wrappedValue: ObjectType)
    @MainActor @preconcurrency public init(wrappedValue: ObjectType) { fatalError() }
    // usr: s:7SwiftUI14ObservedObjectV12wrappedValuexvp
    // doc: @MainActor @preconcurrency var wrappedValue: ObjectType
    @MainActor @preconcurrency public var wrappedValue: ObjectType { get { fatalError() } set { fatalError() } }
    // doc: @MainActor @preconcurrency var projectedValue: ObservedObject<ObjectType>.Wrapper { get }
    @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper { fatalError() }
}

// doc: @frozen @propertyWrapper struct FocusState<Value> where Value : Hashable
@frozen @propertyWrapper public struct FocusState<Value>: DynamicProperty where Value: Hashable {
    // doc: @frozen @propertyWrapper struct Binding
    @frozen @propertyWrapper public struct Binding {
        private let surface: Never
        // doc: var wrappedValue: Value { get nonmutating set }
        public var wrappedValue: Value { get { fatalError() } nonmutating set { fatalError() } }
    }
    // doc: init() where Value == Bool
    public init() where Value == Bool { fatalError() }
    // doc: var wrappedValue: Value { get nonmutating set }
    public var wrappedValue: Value { get { fatalError() } nonmutating set { fatalError() } }
    // doc: var projectedValue: FocusState<Value>.Binding { get }
    public var projectedValue: FocusState<Value>.Binding { fatalError() }
}

// doc: @frozen @propertyWrapper struct Environment<Value>
@frozen @propertyWrapper public struct Environment<Value>: DynamicProperty {
    // doc: init(_ keyPath: KeyPath<EnvironmentValues, Value>)
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
    // doc: var wrappedValue: Value { get }
    public var wrappedValue: Value { fatalError() }
}

// doc: struct EnvironmentValues
public struct EnvironmentValues {
    // doc: var dismiss: DismissAction { get }
    public var dismiss: DismissAction { fatalError() }
    // doc: var openSettings: OpenSettingsAction { get }
    @available(macOS 14, *)
    public var openSettings: OpenSettingsAction { fatalError() }
}

// doc: @MainActor @preconcurrency struct DismissAction
@MainActor @preconcurrency public struct DismissAction {
    // doc: @MainActor @preconcurrency func callAsFunction()
    @MainActor @preconcurrency public func callAsFunction() { fatalError() }
}

// doc: @MainActor @preconcurrency struct OpenSettingsAction
@available(macOS 14, *)
@MainActor @preconcurrency public struct OpenSettingsAction {
    // doc: @MainActor @preconcurrency func callAsFunction()
    @MainActor @preconcurrency public func callAsFunction() { fatalError() }
}
