// SwiftUI: sheets, alerts, dialogs, context menus, toolbars. Declarations only.
// swift-format-ignore-file
import Foundation

extension View {
    // doc: nonisolated func sheet<Content>(isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content) -> some View where Content : View
    nonisolated public func sheet<Content>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        Modified(content: self, change: .presented("sheet", isShown: { isPresented.wrappedValue }, end: { isPresented.wrappedValue = false; onDismiss?() }) { [content()] })
    }
    // doc: nonisolated func sheet<Item, Content>(item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content) -> some View where Item : Identifiable, Content : View
    nonisolated public func sheet<Item, Content>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        Modified(content: self, change: .presented("sheet", isShown: { item.wrappedValue != nil }, end: { item.wrappedValue = nil; onDismiss?() }) {
            item.wrappedValue.map { [content($0)] } ?? []
        })
    }
    // doc: nonisolated func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View
    nonisolated public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { Modified(content: self, change: .trait("not closed by Esc", isDisabled)) }
    // usr: s:7SwiftUI4ViewPAAE5alert_11isPresented10presenting7actions7messageQrAA18LocalizedStringKeyV_AA7BindingVySbGqd_1_Sgqd__qd_1_XEqd_0_qd_1_XEtAaBRd__AaBRd_0_r1_lF
    // doc: nonisolated func alert<A, M, T>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M) -> some View where A : View, M : View
    nonisolated public func alert<A, M, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        let parts: [any View] = data.map { [actions($0), message($0)] } ?? []
        return Modified(content: self, change: .presented("alert", isShown: { isPresented.wrappedValue && !parts.isEmpty }, end: { isPresented.wrappedValue = false }) { [Text(titleKey)] + parts })
    }
    // doc: nonisolated func alert<A, M, T>(_ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M) -> some View where A : View, M : View
    nonisolated public func alert<A, M, T>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        let parts: [any View] = data.map { [actions($0), message($0)] } ?? []
        return Modified(content: self, change: .presented("alert", isShown: { isPresented.wrappedValue && !parts.isEmpty }, end: { isPresented.wrappedValue = false }) { [title] + parts })
    }
    // usr: s:7SwiftUI4ViewPAAE18confirmationDialog_11isPresented15titleVisibility10presenting7actionsQrAA4TextV_AA7BindingVySbGAA0I0Oqd_0_Sgqd__qd_0_XEtAaBRd__r0_lF
    // doc: nonisolated func confirmationDialog<A, T>(_ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?, @ViewBuilder actions: (T) -> A) -> some View where A : View
    nonisolated public func confirmationDialog<A, T>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
        @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        let parts: [any View] = data.map { [actions($0)] } ?? []
        return Modified(content: self, change: .presented("dialog", isShown: { isPresented.wrappedValue && !parts.isEmpty }, end: { isPresented.wrappedValue = false }) { [title] + parts })
    }
    // doc: nonisolated func confirmationDialog<A, M, T>(_ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M) -> some View where A : View, M : View
    nonisolated public func confirmationDialog<A, M, T>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
        @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        let parts: [any View] = data.map { [actions($0), message($0)] } ?? []
        return Modified(content: self, change: .presented("dialog", isShown: { isPresented.wrappedValue && !parts.isEmpty }, end: { isPresented.wrappedValue = false }) { [title] + parts })
    }
    // usr: s:7SwiftUI4ViewPAAE18confirmationDialog_11isPresented15titleVisibility7actions7messageQrAA18LocalizedStringKeyV_AA7BindingVySbGAA0I0Oqd__yXEqd_0_yXEtAaBRd__AaBRd_0_r0_lF
    // doc: nonisolated func confirmationDialog<A, M>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M) -> some View where A : View, M : View
    nonisolated public func confirmationDialog<A, M>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        let parts: [any View] = [Text(titleKey), actions(), message()]
        return Modified(content: self, change: .presented("dialog", isShown: { isPresented.wrappedValue }, end: { isPresented.wrappedValue = false }) { parts })
    }
    // doc: nonisolated func contextMenu<MenuItems>(@ViewBuilder menuItems: () -> MenuItems) -> some View where MenuItems : View
    nonisolated public func contextMenu<MenuItems>(@ViewBuilder menuItems: () -> MenuItems) -> some View where MenuItems: View {
        Modified(content: self, change: .menu(menuItems()))
    }
    // doc: nonisolated func contextMenu<I, M>(forSelectionType itemType: I.Type = I.self, @ViewBuilder menu: @escaping (Set<I>) -> M, primaryAction: ((Set<I>) -> Void)? = nil) -> some View where I : Hashable, M : View
    nonisolated public func contextMenu<I, M>(
        forSelectionType itemType: I.Type = I.self, @ViewBuilder menu: @escaping (Set<I>) -> M,
        primaryAction: ((Set<I>) -> Void)? = nil
    ) -> some View where I: Hashable, M: View {
        Modified(content: self, change: .selectionMenu(
            { row in menu((row.base as? I).map { [$0] } ?? []) }, { row in if let id = row.base as? I { primaryAction?([id]) } }))
    }
    // doc: nonisolated func toolbar<Content>(@ToolbarContentBuilder content: () -> Content) -> some View where Content : ToolbarContent
    nonisolated public func toolbar<Content>(@ToolbarContentBuilder content: () -> Content) -> some View where Content: ToolbarContent {
        Modified(content: self, change: .toolbar((content() as? any ToolbarItems)?.items ?? []))
    }
}

// doc: @frozen enum Visibility
@frozen public enum Visibility: Hashable, CaseIterable, Sendable { case automatic, visible, hidden }

// doc: @MainActor @preconcurrency protocol ToolbarContent
@MainActor @preconcurrency public protocol ToolbarContent {}
// doc: @resultBuilder struct ToolbarContentBuilder
@resultBuilder public struct ToolbarContentBuilder {
    // sdk: static func buildBlock<C0, C1>(_ c0: C0, _ c1: C1) -> some ToolbarContent where C0 : ToolbarContent, C1 : ToolbarContent
    public static func buildBlock<C0, C1>(_ c0: C0, _ c1: C1) -> some ToolbarContent where C0: ToolbarContent, C1: ToolbarContent {
        BothItems(items: [c0, c1].flatMap { ($0 as? any ToolbarItems)?.items ?? [] })
    }
}
// doc: struct ToolbarItem<ID, Content> where Content : View
public struct ToolbarItem<ID, Content> where Content: View {
    let content: Content
}
// hidden: how a toolbar is drawn
protocol ToolbarItems { var items: [any View] { get } }
struct BothItems: ToolbarItems { let items: [any View] }
extension BothItems: ToolbarContent {}
extension ToolbarItem: ToolbarItems { var items: [any View] { [content] } }
extension ToolbarItem: ToolbarContent {}
extension ToolbarItem where ID == () {
    // doc: nonisolated init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content)
    nonisolated public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}
// doc: struct ToolbarItemPlacement
public struct ToolbarItemPlacement {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let automatic: ToolbarItemPlacement
    public static var automatic: ToolbarItemPlacement { ToolbarItemPlacement(name: "automatic") }
    // doc: static let cancellationAction: ToolbarItemPlacement
    public static var cancellationAction: ToolbarItemPlacement { ToolbarItemPlacement(name: "cancellationAction") }
    // doc: static let confirmationAction: ToolbarItemPlacement
    public static var confirmationAction: ToolbarItemPlacement { ToolbarItemPlacement(name: "confirmationAction") }
}
