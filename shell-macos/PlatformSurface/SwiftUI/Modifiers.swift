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
    nonisolated public func privacySensitive(_ sensitive: Bool = true) -> some View { Modified(content: self, change: .trait("private", sensitive)) }
    // doc: nonisolated func opacity(_ opacity: Double) -> some View
    nonisolated public func opacity(_ opacity: Double) -> some View { self }
}
extension View {
    // doc: nonisolated func disabled(_ disabled: Bool) -> some View
    nonisolated public func disabled(_ disabled: Bool) -> some View { Modified(content: self, change: .disabled(disabled)) }
    // doc: nonisolated func id<ID>(_ id: ID) -> some View where ID : Hashable
    nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable { Modified(content: self, change: .identity(AnyHashable(id))) }
    // sdk: func tag<V>(_ tag: V) -> some View where V : Hashable
    nonisolated public func tag<V>(_ tag: V) -> some View where V: Hashable { Modified(content: self, change: .tag(AnyHashable(tag))) }
    // doc: nonisolated func labelsHidden() -> some View
    nonisolated public func labelsHidden() -> some View { self }
    // doc: nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        Modified(content: self, change: action.map { .appear($0) } ?? .nothing)
    }
    // doc: nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        Modified(content: self, change: action.map { .disappear($0) } ?? .nothing)
    }
    // usr: s:7SwiftUI4ViewPAAE8onSubmit2of_QrAA0E8TriggersV_yyctF
    // doc: nonisolated func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View
    nonisolated public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
        Modified(content: self, change: .submit(action))
    }
    // usr: s:7SwiftUI4ViewPAAE8onChange2of7performQrqd___yqd__ctSQRd__lF
    // doc: nonisolated func onChange<V>(of value: V, perform action: @escaping (V) -> Void) -> some View where V : Equatable
    nonisolated public func onChange<V>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View where V: Equatable {
        Modified(content: self, change: .changed(WatchedValue(value: value) { action(value) }))
    }
    // doc: nonisolated func onExitCommand(perform action: (() -> Void)?) -> some View
    nonisolated public func onExitCommand(perform action: (() -> Void)?) -> some View {
        Modified(content: self, change: action.map { .command("exit", $0) } ?? .nothing)
    }
    // doc: nonisolated func onDeleteCommand(perform action: (() -> Void)?) -> some View
    nonisolated public func onDeleteCommand(perform action: (() -> Void)?) -> some View {
        Modified(content: self, change: action.map { .command("delete", $0) } ?? .nothing)
    }
    // hidden: @_inheritActorContext
    // sdk: func task<T>(id value: T, priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void) -> some View where T : Equatable
    nonisolated public func task<T>(
        id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View where T: Equatable { self }
    // doc: nonisolated func focused(_ condition: FocusState<Bool>.Binding) -> some View
    nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View { Modified(content: self, change: .focus { condition.wrappedValue = $0 }) }
}
extension View {
    // usr: s:7SwiftUI4ViewPAAE4helpyQrAA18LocalizedStringKeyVF
    // doc: nonisolated func help(_ textKey: LocalizedStringKey) -> some View
    nonisolated public func help(_ textKey: LocalizedStringKey) -> some View { Modified(content: self, change: .help(textKey.key)) }
    // doc: nonisolated func help(_ text: Text) -> some View
    nonisolated public func help(_ text: Text) -> some View { Modified(content: self, change: .help(text.content)) }
    // doc: nonisolated func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { Modified(content: self, change: .key(shortcut.name)) }
    // usr: s:7SwiftUI4ViewPAAE16keyboardShortcutyQrAA08KeyboardE0VSgF
    // doc: nonisolated func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View { Modified(content: self, change: .key(shortcut?.name)) }
    // doc: nonisolated func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View
    nonisolated public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        Modified(content: self, change: .key(KeyboardShortcut(key, modifiers: modifiers).name))
    }
    // doc: nonisolated func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
    // sdk: func accessibilityLabel(_ label: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityLabel(_ label: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier(label: label.content))
    }
    // usr: s:7SwiftUI4ViewPAAE18accessibilityValueyAA15ModifiedContentVyxAA31AccessibilityAttachmentModifierVGAA4TextVF
    // doc: nonisolated func accessibilityValue(_ valueDescription: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityValue(_ valueDescription: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier())
    }
    // usr: s:7SwiftUI4ViewPAAE17accessibilityHintyAA15ModifiedContentVyxAA31AccessibilityAttachmentModifierVGAA4TextVF
    // doc: nonisolated func accessibilityHint(_ hint: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityHint(_ hint: Text) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier(hint: hint.content))
    }
    // doc: nonisolated func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier(isHidden: hidden))
    }
}

// doc: struct AccessibilityAttachmentModifier
public struct AccessibilityAttachmentModifier {
    var label: String?
    var hint: String?
    var isHidden = false
}
extension AccessibilityAttachmentModifier: ViewModifier {
    // hidden: what no app calls
    public func body(content: Content) -> Never { fatalError() }
}
// doc: struct AccessibilityChildBehavior
public struct AccessibilityChildBehavior: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let ignore: AccessibilityChildBehavior
    public static let ignore: AccessibilityChildBehavior = AccessibilityChildBehavior(name: "ignore")
    // doc: static let contain: AccessibilityChildBehavior
    public static let contain: AccessibilityChildBehavior = AccessibilityChildBehavior(name: "contain")
    // doc: static let combine: AccessibilityChildBehavior
    public static let combine: AccessibilityChildBehavior = AccessibilityChildBehavior(name: "combine")
}
// doc: @frozen enum TextAlignment
@frozen public enum TextAlignment: Hashable, CaseIterable, Sendable { case leading, center, trailing }
// doc: protocol TextSelectability
public protocol TextSelectability {}
// doc: struct EnabledTextSelectability
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    // doc: static var enabled: EnabledTextSelectability { get }
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}
// doc: struct SubmitTriggers
public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // doc: static let text: SubmitTriggers
    public static let text: SubmitTriggers = SubmitTriggers(rawValue: 1)
}
// doc: struct KeyboardShortcut
public struct KeyboardShortcut: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: init(_ key: KeyEquivalent, modifiers: EventModifiers = .command)
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) { name = "⌘\(key.character == "\r" ? "↩" : key.character)" }
    // doc: static let defaultAction: KeyboardShortcut
    public static let defaultAction: KeyboardShortcut = KeyboardShortcut(name: "defaultAction")
    // doc: static let cancelAction: KeyboardShortcut
    public static let cancelAction: KeyboardShortcut = KeyboardShortcut(name: "cancelAction")
}
// doc: struct KeyEquivalent
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    package let character: Character
    // doc: static let `return`: KeyEquivalent
    public static let `return`: KeyEquivalent = "\r"
    // sdk: init(extendedGraphemeClusterLiteral: Character)
    public init(extendedGraphemeClusterLiteral: Character) { character = extendedGraphemeClusterLiteral }
}
// doc: @frozen struct EventModifiers
@frozen public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // doc: static let command: EventModifiers
    public static let command: EventModifiers = EventModifiers(rawValue: 1)
}
