/// What the app derives from messages, and one form that several of them share.

/// From the least to the most.
extension Scope: Comparable {
    public static func < (left: Scope, right: Scope) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Scope.allCases.firstIndex(of: self) ?? 0 }
}

extension TokenExpiry {
    public var days: Int? {
        switch self {
        case .value1: 1
        case .value7: 7
        case .value30: 30
        case .value90: 90
        case .never: nil
        }
    }
}

extension SettingView: Identifiable {
    public var id: String { key }
}

/// All connections, later ones too, or only these (ids, or names in a request to the daemon). An
/// empty list is none.
public enum Reach<Element> {
    case all
    case only([Element])
}

extension Reach: Equatable where Element: Equatable {}
extension Reach: Sendable where Element: Sendable {}

extension Reach: Codable where Element: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = (try? container.decode(String.self)) == "all" ? .all : .only(try container.decode([Element].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .all: try container.encode("all")
        case .only(let elements): try container.encode(elements)
        }
    }
}
