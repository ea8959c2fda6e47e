// SwiftUI: keys of localised texts, written as literals. Declarations only.
// swift-format-ignore-file

// doc: @frozen struct LocalizedStringKey
@frozen public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    // doc: init(_ value: String)
    public init(_ value: String) { fatalError() }
    // doc: init(stringLiteral value: String)
    public init(stringLiteral value: String) { fatalError() }
    // doc: init(stringInterpolation: LocalizedStringKey.StringInterpolation)
    public init(stringInterpolation: LocalizedStringKey.StringInterpolation) { fatalError() }
    // doc: struct StringInterpolation
    public struct StringInterpolation: StringInterpolationProtocol {
        // sdk: init(literalCapacity: Int, interpolationCount: Int)
        public init(literalCapacity: Int, interpolationCount: Int) { fatalError() }
        // doc: mutating func appendLiteral(_ literal: String)
        public mutating func appendLiteral(_ literal: String) { fatalError() }
        // sdk: mutating func appendInterpolation(_ string: String)
        public mutating func appendInterpolation(_ string: String) { fatalError() }
    }
}
