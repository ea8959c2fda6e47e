// SwiftUI: texts, symbols, labels. Declarations only.
// swift-format-ignore-file
import Foundation

// doc: @frozen struct Text
@frozen public struct Text: Equatable, Sendable {
    package let content: String
    // doc: init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil)
    nonisolated public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) { content = key.key }
    // hidden: @_disfavoredOverload, so that a literal is a key
    // usr: s:7SwiftUI4TextVyACxcSyRzlufc
    // doc: init<S>(_ content: S) where S : StringProtocol
    @_disfavoredOverload nonisolated public init<S>(_ content: S) where S: StringProtocol { self.content = String(content) }
    // doc: init(verbatim content: String)
    nonisolated public init(verbatim content: String) { self.content = content }
    // doc: nonisolated func font(_ font: Font?) -> Text
    nonisolated public func font(_ font: Font?) -> Text { self }
    // doc: nonisolated func monospacedDigit() -> Text
    nonisolated public func monospacedDigit() -> Text { self }
    // usr: s:7SwiftUI4TextV1poiyA2C_ACtFZ
    // doc: static func + (lhs: Text, rhs: Text) -> Text
    nonisolated public static func + (lhs: Text, rhs: Text) -> Text { Text(verbatim: lhs.content + rhs.content) }
    // doc: enum TruncationMode
    public enum TruncationMode: Sendable { case head, tail, middle }
}
extension Text: View { public var body: Never { fatalError() } }

// doc: @frozen struct Image
@frozen public struct Image: Equatable, Sendable {
    let name: String
    // doc: init(systemName: String)
    nonisolated public init(systemName: String) { name = systemName }
}
extension Image: View { public var body: Never { fatalError() } }

// doc: struct Label<Title, Icon> where Title : View, Icon : View
public struct Label<Title, Icon> where Title: View, Icon: View {
    let parts: [any View]
    // doc: init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon)
    nonisolated public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { parts = [title(), icon()] }
}
extension Label where Title == Text, Icon == Image {
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, systemImage name: String)
    nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) { parts = [Text(titleKey), Image(systemName: name)] }
}
extension Label: View { public var body: Never { fatalError() } }

// doc: @frozen struct Font
@frozen public struct Font: Hashable, Sendable {
    package let name: String
    package init(name: String) { self.name = name }
    // doc: static let headline: Font
    public static let headline: Font = Font(name: "headline")
    // doc: static let title3: Font
    public static let title3: Font = Font(name: "title3")
    // doc: static let subheadline: Font
    public static let subheadline: Font = Font(name: "subheadline")
    // doc: static let largeTitle: Font
    public static let largeTitle: Font = Font(name: "largeTitle")
    // doc: static let body: Font
    public static let body: Font = Font(name: "body")
    // doc: static let callout: Font
    public static let callout: Font = Font(name: "callout")
    // doc: static let caption: Font
    public static let caption: Font = Font(name: "caption")
    // doc: static let caption2: Font
    public static let caption2: Font = Font(name: "caption2")
    // usr: s:7SwiftUI4FontV10monospacedACyF
    // doc: func monospaced() -> Font
    public func monospaced() -> Font { self }
}
