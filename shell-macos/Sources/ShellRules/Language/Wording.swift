import Foundation

/// A text of the app, apart from its values. Its key in the table is its English text, with `%@`
/// for a text and `%lld` for a number. A value is never part of a key, and never a format.
public struct Wording: Equatable, Sendable, ExpressibleByStringInterpolation {
    enum Argument: Equatable, Sendable {
        case text(String)
        case number(Int)

        /// How a key writes it.
        var sign: String {
            switch self {
            case .text: "%@"
            case .number: "%lld"
            }
        }
    }

    let key: String
    let arguments: [Argument]

    init(key: String, arguments: [Argument]) {
        (self.key, self.arguments) = (key, arguments)
    }

    public init(stringLiteral value: String) {
        self.init(key: value, arguments: [])
    }

    public init(stringInterpolation: Interpolation) {
        key = stringInterpolation.key
        arguments = stringInterpolation.arguments
    }

    public struct Interpolation: StringInterpolationProtocol, Sendable {
        var key = ""
        var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// A wording with values is a format, where a percent sign is written twice.
        public mutating func appendLiteral(_ literal: String) {
            key += literal.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        }

        public mutating func appendInterpolation(_ text: String) {
            key += "%@"
            arguments.append(.text(text))
        }

        /// Formatted for the reader: `10,000`. For a number that is no quantity, such as a port,
        /// use `String(port)`.
        public mutating func appendInterpolation(number: Int) {
            key += "%lld"
            arguments.append(.number(number))
        }
    }
}
