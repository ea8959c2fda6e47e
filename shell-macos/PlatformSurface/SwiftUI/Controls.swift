// SwiftUI: buttons, menus, toggles, pickers, fields. Declarations only.
// swift-format-ignore-file
import Foundation

// usr: s:7SwiftUI6ButtonV
// doc: struct Button<Label> where Label : View
public struct Button<Label> where Label: View {
    let label: Label
    let role: ButtonRole?
    let action: @MainActor () -> Void
    // usr: s:7SwiftUI6ButtonV6action5labelACyxGyyc_xyXEtcfc
    // doc: @preconcurrency init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label)
    @preconcurrency nonisolated public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        (self.label, role, self.action) = (label(), nil, action)
    }
}
extension Button where Label == Text {
    // doc: @preconcurrency nonisolated init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void)
    @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        (label, role, self.action) = (Text(titleKey), nil, action)
    }
    // hidden: @_disfavoredOverload
    // usr: s:7SwiftUI6ButtonVA2A4TextVRszrlE_6actionACyAEGqd___yyctcSyRd__lufc
    // doc: @preconcurrency nonisolated init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S : StringProtocol
    @_disfavoredOverload @preconcurrency nonisolated public init<S>(_ title: S, action: @escaping @MainActor () -> Void)
    where S: StringProtocol { (label, role, self.action) = (Text(verbatim: String(title)), nil, action) }
    // doc: @preconcurrency nonisolated init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void)
    @preconcurrency nonisolated public init(
        _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { (label, self.role, self.action) = (Text(titleKey), role, action) }
}
extension Button: View { public var body: Never { fatalError() } }

// doc: struct ButtonRole
public struct ButtonRole: Equatable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let destructive: ButtonRole
    public static let destructive: ButtonRole = ButtonRole(name: "destructive")
    // doc: static let cancel: ButtonRole
    public static let cancel: ButtonRole = ButtonRole(name: "cancel")
}

// doc: struct Menu<Label, Content> where Label : View, Content : View
public struct Menu<Label, Content> where Label: View, Content: View {
    let content: Content
    // usr: s:7SwiftUI4MenuV7content5labelACyxq_Gq_yXE_xyXEtcfc
    // doc: nonisolated init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label)
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { self.content = content() }
}
extension Menu: View { public var body: Never { fatalError() } }

// doc: struct Toggle<Label> where Label : View
public struct Toggle<Label> where Label: View {
    let label: Label
    let isOn: Binding<Bool>
    // doc: init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label)
    nonisolated public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { (self.label, self.isOn) = (label(), isOn) }
}
extension Toggle where Label == Text {
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>)
    nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { (label, self.isOn) = (Text(titleKey), isOn) }
    // hidden: @_disfavoredOverload
    // sdk: init<S>(_ title: S, isOn: Binding<Bool>) where S : StringProtocol
    @_disfavoredOverload nonisolated public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol {
        (label, self.isOn) = (Text(verbatim: String(title)), isOn)
    }
}
extension Toggle: View { public var body: Never { fatalError() } }

// doc: struct Picker<Label, SelectionValue, Content> where Label : View, SelectionValue : Hashable, Content : View
public struct Picker<Label, SelectionValue, Content> where Label: View, SelectionValue: Hashable, Content: View {
    let label: Label
    let selection: Binding<SelectionValue>
    let content: Content
    // doc: nonisolated init(selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label)
    nonisolated public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) { (self.label, self.selection, self.content) = (label(), selection, content()) }
}
extension Picker where Label == Text {
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
    nonisolated public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { (label, self.selection, self.content) = (Text(titleKey), selection, content()) }
}
extension Picker: View { public var body: Never { fatalError() } }

// doc: struct TextField<Label> where Label : View
public struct TextField<Label> where Label: View {
    let title: String
    let text: Binding<String>
    var prompt: Text?
}
extension TextField where Label == Text {
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>)
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { (title, self.text) = (titleKey.key, text) }
    // hidden: @_disfavoredOverload
    // usr: s:7SwiftUI9TextFieldVA2A0C0VRszrlE_4textACyAEGqd___AA7BindingVySSGtcSyRd__lufc
    // doc: nonisolated init<S>(_ title: S, text: Binding<String>) where S : StringProtocol
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>) where S: StringProtocol {
        (self.title, self.text) = (String(title), text)
    }
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?)
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) { (title, self.text, self.prompt) = (titleKey.key, text, prompt) }
    // hidden: @_disfavoredOverload
    // doc: nonisolated init<S>(_ title: S, text: Binding<String>, prompt: Text?) where S : StringProtocol
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>, prompt: Text?) where S: StringProtocol {
        (self.title, self.text, self.prompt) = (String(title), text, prompt)
    }
}
extension TextField: View { public var body: Never { fatalError() } }

// doc: struct SecureField<Label> where Label : View
public struct SecureField<Label> where Label: View {
    let title: String
    let text: Binding<String>
    var prompt: Text?
}
extension SecureField where Label == Text {
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>)
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { (title, self.text) = (titleKey.key, text) }
    // hidden: @_disfavoredOverload
    // doc: nonisolated init<S>(_ title: S, text: Binding<String>, prompt: Text?) where S : StringProtocol
    @_disfavoredOverload nonisolated public init<S>(_ title: S, text: Binding<String>, prompt: Text?) where S: StringProtocol {
        (self.title, self.text, self.prompt) = (String(title), text, prompt)
    }
}
extension SecureField: View { public var body: Never { fatalError() } }

// doc: struct ControlGroup<Content> where Content : View
public struct ControlGroup<Content> where Content: View {
    let content: Content
    // doc: nonisolated init(@ViewBuilder content: () -> Content)
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
extension ControlGroup: View { public var body: Never { fatalError() } }

// doc: struct ProgressView<Label, CurrentValueLabel> where Label : View, CurrentValueLabel : View
public struct ProgressView<Label, CurrentValueLabel> where Label: View, CurrentValueLabel: View {}
extension ProgressView where CurrentValueLabel == EmptyView {
    // usr: s:7SwiftUI12ProgressViewVA2A05EmptyD0VRs_rlEACyA2EGycAERszrlufc
    // doc: nonisolated init() where Label == EmptyView
    nonisolated public init() where Label == EmptyView {}
}
extension ProgressView: View { public var body: Never { fatalError() } }
