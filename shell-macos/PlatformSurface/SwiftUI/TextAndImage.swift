// SwiftUI: texts, symbols, labels. Declarations only.
// swift-format-ignore-file
import Foundation

// doc: @frozen struct Text
@frozen public struct Text: Equatable, Sendable {
    // doc: init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil)
    nonisolated public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) { fatalError() }
    // hidden: @_disfavoredOverload, so that a literal is a key
    // usr: s:7SwiftUI4TextVyACxcSyRzlufc
    // doc: init<S>(_ content: S) where S : StringProtocol
    @_disfavoredOverload nonisolated public init<S>(_ content: S) where S: StringProtocol { fatalError() }
    // doc: init(verbatim content: String)
    nonisolated public init(verbatim content: String) { fatalError() }
    // doc: nonisolated func font(_ font: Font?) -> Text
    nonisolated public func font(_ font: Font?) -> Text { fatalError() }
    // doc: nonisolated func monospacedDigit() -> Text
    nonisolated public func monospacedDigit() -> Text { fatalError() }
    // doc: enum TruncationMode
    public enum TruncationMode: Sendable { case head, tail, middle }
}
extension Text: View { public var body: Never { fatalError() } }

// doc: @frozen struct Image
@frozen public struct Image: Equatable, Sendable {
    // doc: init(systemName: String)
    nonisolated public init(systemName: String) { fatalError() }
}
extension Image: View { public var body: Never { fatalError() } }

// doc: struct Label<Title, Icon> where Title : View, Icon : View
public struct Label<Title, Icon> where Title: View, Icon: View {
    // doc: init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon)
    nonisolated public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) { fatalError() }
}
extension Label where Title == Text, Icon == Image {
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, systemImage name: String)
    nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) { fatalError() }
}
extension Label: View { public var body: Never { fatalError() } }

// doc: @frozen struct Font
@frozen public struct Font: Hashable, Sendable {
    // doc: static let headline: Font
    public static let headline: Font = { fatalError() }()
    // doc: static let subheadline: Font
    public static let subheadline: Font = { fatalError() }()
    // doc: static let largeTitle: Font
    public static let largeTitle: Font = { fatalError() }()
    // doc: static let body: Font
    public static let body: Font = { fatalError() }()
    // doc: static let callout: Font
    public static let callout: Font = { fatalError() }()
    // doc: static let caption: Font
    public static let caption: Font = { fatalError() }()
    // doc: static let caption2: Font
    public static let caption2: Font = { fatalError() }()
    // usr: s:7SwiftUI4FontV10monospacedACyF
    // doc: func monospaced() -> Font
    public func monospaced() -> Font { fatalError() }
}
