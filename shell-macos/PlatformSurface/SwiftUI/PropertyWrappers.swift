// SwiftUI: state, bindings, and what a view is given by its surroundings. Declarations only.
// swift-format-ignore-file
import Combine

// doc: protocol DynamicProperty
public protocol DynamicProperty {}

// doc: @frozen @propertyWrapper struct State<Value>
@frozen @propertyWrapper public struct State<Value>: DynamicProperty {
    let held: Held<Value>
    // doc: init(wrappedValue value: Value)
    public init(wrappedValue value: Value) { held = Held(value) }
    // doc: var wrappedValue: Value { get nonmutating set }
    public var wrappedValue: Value { get { held.store.value } nonmutating set { held.store.value = newValue } }
    // doc: var projectedValue: Binding<Value> { get }
    public var projectedValue: Binding<Value> {
        Binding(read: { [store = held.store] in store.value }, write: { [store = held.store] in store.value = $0 })
    }
}
extension State where Value: ExpressibleByNilLiteral {
    // doc: init()
    public init() { held = Held(nil) }
}
extension State: Sendable where Value: Sendable {}
extension State: Bound {
    func bind(_ stage: Stage, _ path: String) { held.store = stage.keep(held.store, path) }
}

// doc: @frozen @propertyWrapper @dynamicMemberLookup struct Binding<Value>
@frozen @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    let read: () -> Value
    let write: (Value) -> Void
    init(read: @escaping () -> Value, write: @escaping (Value) -> Void) { (self.read, self.write) = (read, write) }
    // hidden: @_inheritActorContext on both closures; without it every Binding(get:set:) in a view would be refused
    // usr: s:7SwiftUI7BindingV3get3setACyxGxyc_yxctcfc
    // doc: @preconcurrency init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void)
    @preconcurrency public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        // The tests are on the main actor, where every view's closure belongs.
        read = unsafeBitCast(get, to: (() -> Value).self)
        write = unsafeBitCast(set, to: ((Value) -> Void).self)
    }
    // doc: var wrappedValue: Value { get nonmutating set }
    public var wrappedValue: Value { get { read() } nonmutating set { write(newValue) } }
    // doc: var projectedValue: Binding<Value> { get }
    public var projectedValue: Binding<Value> { self }
    // doc: subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { get }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            read: { read()[keyPath: keyPath] },
            write: {
                var whole = read()
                whole[keyPath: keyPath] = $0
                write(whole)
            })
    }
}
extension Binding: @unchecked Sendable where Value: Sendable {}

// doc: @MainActor @propertyWrapper @preconcurrency @frozen struct ObservedObject<ObjectType> where ObjectType : ObservableObject
@MainActor @preconcurrency @propertyWrapper @frozen public struct ObservedObject<ObjectType>: DynamicProperty
where ObjectType: ObservableObject {
    // usr: s:7SwiftUI14ObservedObjectV7WrapperV
    // doc: @MainActor @dynamicMemberLookup @frozen @preconcurrency struct Wrapper
    @MainActor @dynamicMemberLookup @preconcurrency @frozen public struct Wrapper {
        let object: ObjectType
        // doc: @MainActor @preconcurrency subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject> { get }
        @MainActor @preconcurrency public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            Binding(read: { [object] in object[keyPath: keyPath] }, write: { [object] in object[keyPath: keyPath] = $0 })
        }
    }
    // usr: s:7SwiftUI14ObservedObjectV12wrappedValueACyxGx_tcfc
    // doc: @MainActor @preconcurrency init(wrappedValue: ObjectType)
    @MainActor @preconcurrency public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    // usr: s:7SwiftUI14ObservedObjectV12wrappedValuexvp
    // doc: @MainActor @preconcurrency var wrappedValue: ObjectType
    @MainActor @preconcurrency public var wrappedValue: ObjectType
    // doc: @MainActor @preconcurrency var projectedValue: ObservedObject<ObjectType>.Wrapper { get }
    @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper { Wrapper(object: wrappedValue) }
}

// doc: @frozen @propertyWrapper struct FocusState<Value> where Value : Hashable
@frozen @propertyWrapper public struct FocusState<Value>: DynamicProperty where Value: Hashable {
    let held: Held<Value>
    // doc: @frozen @propertyWrapper struct Binding
    @frozen @propertyWrapper public struct Binding {
        let held: Held<Value>
        // doc: var wrappedValue: Value { get nonmutating set }
        public var wrappedValue: Value { get { held.store.value } nonmutating set { held.store.value = newValue } }
    }
    // doc: init() where Value == Bool
    public init() where Value == Bool { held = Held(false) }
    // doc: var wrappedValue: Value { get nonmutating set }
    public var wrappedValue: Value { get { held.store.value } nonmutating set { held.store.value = newValue } }
    // doc: var projectedValue: FocusState<Value>.Binding { get }
    public var projectedValue: FocusState<Value>.Binding { Binding(held: held) }
}

// doc: @frozen @propertyWrapper struct Environment<Value>
@frozen @propertyWrapper public struct Environment<Value>: DynamicProperty {
    let keyPath: KeyPath<EnvironmentValues, Value>
    let values: Held<EnvironmentValues>
    // doc: init(_ keyPath: KeyPath<EnvironmentValues, Value>)
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { (self.keyPath, values) = (keyPath, Held(EnvironmentValues())) }
    // doc: var wrappedValue: Value { get }
    public var wrappedValue: Value { values.store.value[keyPath: keyPath] }
}

// doc: struct EnvironmentValues
public struct EnvironmentValues {
    var dismissing: () -> Void = {}
    // doc: var dismiss: DismissAction { get }
    public var dismiss: DismissAction { DismissAction(act: dismissing) }
}

// doc: @MainActor @preconcurrency struct DismissAction
@MainActor @preconcurrency public struct DismissAction {
    nonisolated private let hold: Act
    private struct Act: @unchecked Sendable { let act: () -> Void }
    nonisolated init(act: @escaping () -> Void) { hold = Act(act: act) }
    // doc: @MainActor @preconcurrency func callAsFunction()
    @MainActor @preconcurrency public func callAsFunction() { hold.act() }
}

extension FocusState: Bound {
    func bind(_ stage: Stage, _ path: String) { held.store = stage.keep(held.store, path) }
}
extension Environment: Bound {
    func bind(_ stage: Stage, _ path: String) { values.store.value.dismissing = stage.dismiss }
}
