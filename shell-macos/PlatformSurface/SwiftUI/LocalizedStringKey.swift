// SwiftUI: keys of localised texts, written as literals. Declarations only.
// swift-format-ignore-file

// doc: @frozen struct LocalizedStringKey
@frozen public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    package let key: String
    // doc: init(_ value: String)
    public init(_ value: String) { key = value }
    // doc: init(stringLiteral value: String)
    public init(stringLiteral value: String) { key = value }
    // doc: init(stringInterpolation: LocalizedStringKey.StringInterpolation)
    public init(stringInterpolation: LocalizedStringKey.StringInterpolation) { key = stringInterpolation.key }
    // doc: struct StringInterpolation
    public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        // sdk: init(literalCapacity: Int, interpolationCount: Int)
        public init(literalCapacity: Int, interpolationCount: Int) {}
        // doc: mutating func appendLiteral(_ literal: String)
        public mutating func appendLiteral(_ literal: String) { key += literal }
        // sdk: mutating func appendInterpolation(_ string: String)
        public mutating func appendInterpolation(_ string: String) { key += string }
    }
}
