/// The daemon's words for engines, levels, policies, scopes and lifetimes (spec §5, §6), as messages carry them.

public enum Engine: String, Codable, CaseIterable, Sendable {
    case postgres, mysql, sqlite
}

public enum TLSMode: String, Codable, CaseIterable, Sendable {
    case disable, prefer, require
    case verifyCA = "verify-ca"
    case verifyFull = "verify-full"

    public var checksCertificate: Bool { self == .verifyCA || self == .verifyFull }
}

public enum ExternalClientsLevel: String, Codable, CaseIterable, Sendable {
    case blocked, readOnly, readWrite
}

public enum AIPolicy: String, Codable, CaseIterable, Sendable {
    case always, askEachTime, never
}

/// `own`: an argument can't leave the saved database.
public enum Databases: String, Codable, CaseIterable, Sendable {
    case own, all
}

/// From the least to the most.
public enum Scope: String, Codable, CaseIterable, Comparable, Sendable {
    case readOnly, readWrite, fullAccess

    public static func < (left: Scope, right: Scope) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Scope.allCases.firstIndex(of: self) ?? 0 }
}

/// How long a token lives. Days, or for ever.
public enum TokenExpiry: Hashable, CaseIterable, Sendable {
    case day, week, month, quarter, never

    public var days: Int? {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 30
        case .quarter: 90
        case .never: nil
        }
    }
}

extension TokenExpiry: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let days = (try? container.decode(String.self)) == "never" ? nil : try container.decode(Int.self)
        guard let known = TokenExpiry.allCases.first(where: { $0.days == days }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no lifetime of a token")
        }
        self = known
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let days { try container.encode(days) } else { try container.encode("never") }
    }
}

/// All connections, those added later too, or these (ids, or names where the daemon is asked). An empty list is none.
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
