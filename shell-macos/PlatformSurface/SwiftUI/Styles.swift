// SwiftUI: the system's styles, colours and shapes. Declarations only.
// swift-format-ignore-file
import AppKit
import Foundation

extension View {
    // doc: nonisolated func formStyle<S>(_ style: S) -> some View where S : FormStyle
    nonisolated public func formStyle<S>(_ style: S) -> some View where S: FormStyle { self }
    // doc: nonisolated func pickerStyle<S>(_ style: S) -> some View where S : PickerStyle
    nonisolated public func pickerStyle<S>(_ style: S) -> some View where S: PickerStyle { self }
    // doc: nonisolated func toggleStyle<S>(_ style: S) -> some View where S : ToggleStyle
    nonisolated public func toggleStyle<S>(_ style: S) -> some View where S: ToggleStyle { self }
    // usr: s:7SwiftUI4ViewPAAE11buttonStyleyQrqd__AA015PrimitiveButtonE0Rd__lF
    // doc: nonisolated func buttonStyle<S>(_ style: S) -> some View where S : PrimitiveButtonStyle
    nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle { self }
    // doc: nonisolated func menuStyle<S>(_ style: S) -> some View where S : MenuStyle
    nonisolated public func menuStyle<S>(_ style: S) -> some View where S: MenuStyle { self }
    // doc: nonisolated func labelStyle<S>(_ style: S) -> some View where S : LabelStyle
    nonisolated public func labelStyle<S>(_ style: S) -> some View where S: LabelStyle { self }
    // doc: nonisolated func controlSize(_ controlSize: ControlSize) -> some View
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View { self }
}

// doc: @MainActor @preconcurrency protocol FormStyle
@MainActor @preconcurrency public protocol FormStyle {}
// doc: struct GroupedFormStyle
public struct GroupedFormStyle {}
extension GroupedFormStyle: FormStyle {}
extension FormStyle where Self == GroupedFormStyle {
    // doc: @MainActor @preconcurrency static var grouped: GroupedFormStyle { get }
    @MainActor @preconcurrency public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}
// doc: protocol PickerStyle
public protocol PickerStyle {}
// doc: struct SegmentedPickerStyle
public struct SegmentedPickerStyle: PickerStyle {}
extension PickerStyle where Self == SegmentedPickerStyle {
    // doc: static var segmented: SegmentedPickerStyle { get }
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
// doc: @MainActor @preconcurrency protocol ToggleStyle
@MainActor @preconcurrency public protocol ToggleStyle {}
// doc: struct SwitchToggleStyle
public struct SwitchToggleStyle {}
extension SwitchToggleStyle: ToggleStyle {}
extension ToggleStyle where Self == SwitchToggleStyle {
    // doc: @MainActor @preconcurrency static var `switch`: SwitchToggleStyle { get }
    @MainActor @preconcurrency public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}
// doc: @MainActor @preconcurrency protocol PrimitiveButtonStyle
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}
// doc: struct BorderlessButtonStyle
public struct BorderlessButtonStyle {}
extension BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    // doc: @MainActor @preconcurrency static var borderless: BorderlessButtonStyle { get }
    @MainActor @preconcurrency public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
// doc: @MainActor @preconcurrency protocol MenuStyle
@MainActor @preconcurrency public protocol MenuStyle {}
// doc: struct BorderlessButtonMenuStyle
public struct BorderlessButtonMenuStyle {}
extension BorderlessButtonMenuStyle: MenuStyle {}
extension MenuStyle where Self == BorderlessButtonMenuStyle {
    // doc: @MainActor @preconcurrency static var borderlessButton: BorderlessButtonMenuStyle { get }
    @MainActor @preconcurrency public static var borderlessButton: BorderlessButtonMenuStyle { BorderlessButtonMenuStyle() }
}
// doc: @MainActor @preconcurrency protocol LabelStyle
@MainActor @preconcurrency public protocol LabelStyle {}
// doc: struct IconOnlyLabelStyle
public struct IconOnlyLabelStyle {}
extension IconOnlyLabelStyle: LabelStyle {}
extension LabelStyle where Self == IconOnlyLabelStyle {
    // doc: @MainActor @preconcurrency static var iconOnly: IconOnlyLabelStyle { get }
    @MainActor @preconcurrency public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
// doc: enum ControlSize
public enum ControlSize: CaseIterable, Hashable, Sendable { case mini, small, regular, large }

// doc: protocol ShapeStyle : Sendable
public protocol ShapeStyle: Sendable {}
// doc: @frozen struct Color
@frozen public struct Color: Hashable, Sendable, ShapeStyle {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: nonisolated init(nsColor: NSColor)
    public init(nsColor: NSColor) { name = nsColor.components.isEmpty ? "system" : "\(nsColor.components)" }
    // doc: static let red: Color
    public static let red: Color = Color(name: "red")
    // doc: static let orange: Color
    public static let orange: Color = Color(name: "orange")
    // doc: static let yellow: Color
    public static let yellow: Color = Color(name: "yellow")
    // doc: static let green: Color
    public static let green: Color = Color(name: "green")
    // doc: static let blue: Color
    public static let blue: Color = Color(name: "blue")
    // doc: static let purple: Color
    public static let purple: Color = Color(name: "purple")
    // doc: static let pink: Color
    public static let pink: Color = Color(name: "pink")
    // doc: static let brown: Color
    public static let brown: Color = Color(name: "brown")
    // doc: static let gray: Color
    public static let gray: Color = Color(name: "gray")
    // doc: static let primary: Color
    public static let primary: Color = Color(name: "primary")
    // doc: static let secondary: Color
    public static let secondary: Color = Color(name: "secondary")
    // doc: static let clear: Color
    public static let clear: Color = Color(name: "clear")
}
extension Color: View { public var body: Never { fatalError() } }
extension ShapeStyle where Self == Color {
    // doc: static var red: Color { get }
    public static var red: Color { Color(name: "red") }
    // doc: static var orange: Color { get }
    public static var orange: Color { Color(name: "orange") }
}
// doc: @frozen struct HierarchicalShapeStyle
@frozen public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    // doc: static var secondary: HierarchicalShapeStyle { get }
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

// doc: @frozen struct RoundedRectangle
@frozen public struct RoundedRectangle: Sendable {
    // doc: init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous)
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
}
extension RoundedRectangle: View { public var body: Never { fatalError() } }
extension RoundedRectangle {
    // hidden: of InsettableShape on macOS
    // sdk: func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View where S : ShapeStyle
    nonisolated public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View
    where S: ShapeStyle { self }
}
// doc: enum RoundedCornerStyle
public enum RoundedCornerStyle: Sendable { case circular, continuous }
