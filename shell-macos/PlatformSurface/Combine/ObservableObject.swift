// Combine: objects that views observe. Their storage traps here. Declarations only.
// swift-format-ignore-file

// usr: s:7Combine16ObservableObjectP
// doc: protocol ObservableObject : AnyObject
public protocol ObservableObject: AnyObject {
    // usr: s:7Combine16ObservableObjectP0C19WillChangePublisherQa
    // doc: associatedtype ObjectWillChangePublisher : Publisher = ObservableObjectPublisher where Self.ObjectWillChangePublisher.Failure == Never
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher where Self.ObjectWillChangePublisher.Failure == Never
    // usr: s:7Combine16ObservableObjectP16objectWillChange0ceF9PublisherQzvp
    // doc: var objectWillChange: Self.ObjectWillChangePublisher { get }
    var objectWillChange: Self.ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    // usr: s:7Combine16ObservableObjectPA2A0bC9PublisherC0c10WillChangeD0RtzrlE06objecteF0AEvp
    // doc: var objectWillChange: ObservableObjectPublisher { get }
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}

// usr: s:7Combine25ObservableObjectPublisherC
// doc: final class ObservableObjectPublisher
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
}

// usr: s:7Combine9PublishedV
// doc: @propertyWrapper struct Published<Value>
@propertyWrapper
public struct Published<Value> {
    private var stored: Value
    // sdk: init(wrappedValue: Value)
    public init(wrappedValue: Value) { stored = wrappedValue }
    // usr: s:7Combine9PublishedV9PublisherV
    // doc: struct Publisher
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
    }
    // usr: s:7Combine9PublishedV14projectedValueAC9PublisherVyx_Gvp
    // doc: var projectedValue: Published<Value>.Publisher { mutating get set }
    public var projectedValue: Published<Value>.Publisher {
        mutating get { fatalError() }
        set { fatalError() }
    }
    // hidden: what makes @Published a matter of classes; the pages show neither of the two
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value { get { fatalError() } set { fatalError() } }
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].stored }
        set { object[keyPath: storageKeyPath].stored = newValue }
    }
}
