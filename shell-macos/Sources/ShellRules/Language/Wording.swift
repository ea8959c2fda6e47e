import Foundation

/// A text of ours with what stands in it, apart: its key in the table of texts is its English, with
/// `%@` for a text and `%lld` for a number. What others wrote is never part of a key, and never
/// read as a format.
public struct Wording: Equatable, Sendable, ExpressibleByStringInterpolation {
    enum Argument: Equatable, Sendable {
        case text(String)
        case number(Int)
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

        /// Any wording with something in it is a format, where a percent sign is written twice.
        public mutating func appendLiteral(_ literal: String) {
            key += literal.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        }

        public mutating func appendInterpolation(_ text: String) {
            key += "%@"
            arguments.append(.text(text))
        }

        /// Written as the reader writes numbers: `10,000`. For what is no quantity, as a port,
        /// `String(port)`.
        public mutating func appendInterpolation(number: Int) {
            key += "%lld"
            arguments.append(.number(number))
        }
    }
}
