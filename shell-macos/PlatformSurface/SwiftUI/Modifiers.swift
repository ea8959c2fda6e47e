// SwiftUI: what is said of a view: its text, state, events, help and voice. Declarations only.
// swift-format-ignore-file
import Combine
import Foundation

extension View {
    // doc: nonisolated func font(_ font: Font?) -> some View
    nonisolated public func font(_ font: Font?) -> some View { self }
    // usr: s:7SwiftUI4ViewPAAE15foregroundStyleyQrqd__AA05ShapeE0Rd__lF
    // doc: nonisolated func foregroundStyle<S>(_ style: S) -> some View where S : ShapeStyle
    nonisolated public func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle { self }
    // usr: s:7SwiftUI4ViewPAAE9lineLimityQrSiSgF
    // doc: nonisolated func lineLimit(_ number: Int?) -> some View
    nonisolated public func lineLimit(_ number: Int?) -> some View { self }
    // doc: nonisolated func truncationMode(_ mode: Text.TruncationMode) -> some View
    nonisolated public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    // doc: nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View
    nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    // doc: nonisolated func monospacedDigit() -> some View
    nonisolated public func monospacedDigit() -> some View { self }
    // doc: nonisolated func textSelection<S>(_ selectability: S) -> some View where S : TextSelectability
    nonisolated public func textSelection<S>(_ selectability: S) -> some View where S: TextSelectability { self }
    // doc: nonisolated func privacySensitive(_ sensitive: Bool = true) -> some View
    nonisolated public func privacySensitive(_ sensitive: Bool = true) -> some View { self }
    // doc: nonisolated func opacity(_ opacity: Double) -> some View
    nonisolated public func opacity(_ opacity: Double) -> some View { self }
}
extension View {
    // doc: nonisolated func disabled(_ disabled: Bool) -> some View
    nonisolated public func disabled(_ disabled: Bool) -> some View { self }
    // doc: nonisolated func id<ID>(_ id: ID) -> some View where ID : Hashable
    nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable { self }
    // sdk: func tag<V>(_ tag: V) -> some View where V : Hashable
    nonisolated public func tag<V>(_ tag: V) -> some View where V: Hashable { self }
    // doc: nonisolated func labelsHidden() -> some View
    nonisolated public func labelsHidden() -> some View { self }
    // doc: nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    // doc: nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
    // usr: s:7SwiftUI4ViewPAAE8onSubmit2of_QrAA0E8TriggersV_yyctF
    // doc: nonisolated func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View
    nonisolated public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View { self }
    // usr: s:7SwiftUI4ViewPAAE8onChange2of7performQrqd___yqd__ctSQRd__lF
    // doc: nonisolated func onChange<V>(of value: V, perform action: @escaping (V) -> Void) -> some View where V : Equatable
    nonisolated public func onChange<V>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View where V: Equatable {
        self
    }
    // usr: s:7SwiftUI4ViewPAAE9onReceive_7performQrqd___y6OutputQyd__ct7Combine9PublisherRd__s5NeverO7FailureRtd__lF
    // doc: nonisolated func onReceive<P>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View where P : Publisher, P.Failure == Never
    nonisolated public func onReceive<P>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View
    where P: Publisher, P.Failure == Never { self }
    // doc: nonisolated func onExitCommand(perform action: (() -> Void)?) -> some View
    nonisolated public func onExitCommand(perform action: (() -> Void)?) -> some View { self }
    // doc: nonisolated func onDeleteCommand(perform action: (() -> Void)?) -> some View
    nonisolated public func onDeleteCommand(perform action: (() -> Void)?) -> some View { self }
    // hidden: @_inheritActorContext
    // sdk: func task<T>(id value: T, priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void) -> some View where T : Equatable
    nonisolated public func task<T>(
        id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View where T: Equatable { self }
    // doc: nonisolated func focused(_ condition: FocusState<Bool>.Binding) -> some View
    nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }
}
extension View {
    // usr: s:7SwiftUI4ViewPAAE4helpyQrAA18LocalizedStringKeyVF
    // doc: nonisolated func help(_ textKey: LocalizedStringKey) -> some View
    nonisolated public func help(_ textKey: LocalizedStringKey) -> some View { self }
    // doc: nonisolated func help(_ text: Text) -> some View
    nonisolated public func help(_ text: Text) -> some View { self }
    // doc: nonisolated func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { self }
    // usr: s:7SwiftUI4ViewPAAE16keyboardShortcutyQrAA08KeyboardE0VSgF
    // doc: nonisolated func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View { self }
    // doc: nonisolated func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View
    nonisolated public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View { self }
    // doc: nonisolated func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
    // sdk: func accessibilityLabel(_ label: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityLabel(_ label: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { fatalError() }
    // usr: s:7SwiftUI4ViewPAAE18accessibilityValueyAA15ModifiedContentVyxAA31AccessibilityAttachmentModifierVGAA4TextVF
    // doc: nonisolated func accessibilityValue(_ valueDescription: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityValue(_ valueDescription: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        fatalError()
    }
    // usr: s:7SwiftUI4ViewPAAE17accessibilityHintyAA15ModifiedContentVyxAA31AccessibilityAttachmentModifierVGAA4TextVF
    // doc: nonisolated func accessibilityHint(_ hint: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityHint(_ hint: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { fatalError() }
    // doc: nonisolated func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { fatalError() }
}

// doc: struct AccessibilityAttachmentModifier
public struct AccessibilityAttachmentModifier {}
extension AccessibilityAttachmentModifier: ViewModifier {
    // hidden: what no app calls
    public func body(content: Content) -> Never { fatalError() }
}
// doc: struct AccessibilityChildBehavior
public struct AccessibilityChildBehavior: Hashable, Sendable {
    // doc: static let ignore: AccessibilityChildBehavior
    public static let ignore: AccessibilityChildBehavior = { fatalError() }()
    // doc: static let contain: AccessibilityChildBehavior
    public static let contain: AccessibilityChildBehavior = { fatalError() }()
    // doc: static let combine: AccessibilityChildBehavior
    public static let combine: AccessibilityChildBehavior = { fatalError() }()
}
// doc: @frozen enum TextAlignment
@frozen public enum TextAlignment: Hashable, CaseIterable, Sendable { case leading, center, trailing }
// doc: protocol TextSelectability
public protocol TextSelectability {}
// doc: struct EnabledTextSelectability
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    // doc: static var enabled: EnabledTextSelectability { get }
    public static var enabled: EnabledTextSelectability { fatalError() }
}
// doc: struct SubmitTriggers
public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // doc: static let text: SubmitTriggers
    public static let text: SubmitTriggers = { fatalError() }()
}
// doc: struct KeyboardShortcut
public struct KeyboardShortcut: Hashable, Sendable {
    // doc: init(_ key: KeyEquivalent, modifiers: EventModifiers = .command)
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) { fatalError() }
    // doc: static let defaultAction: KeyboardShortcut
    public static let defaultAction: KeyboardShortcut = { fatalError() }()
    // doc: static let cancelAction: KeyboardShortcut
    public static let cancelAction: KeyboardShortcut = { fatalError() }()
}
// doc: struct KeyEquivalent
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    // sdk: init(extendedGraphemeClusterLiteral: Character)
    public init(extendedGraphemeClusterLiteral: Character) { fatalError() }
}
// doc: @frozen struct EventModifiers
@frozen public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // doc: static let command: EventModifiers
    public static let command: EventModifiers = { fatalError() }()
}
