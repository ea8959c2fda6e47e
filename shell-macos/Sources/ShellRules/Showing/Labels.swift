/// Labels for the daemon's words and for the app's.

public protocol Worded: RawRepresentable, CaseIterable, Identifiable, Hashable where RawValue == String {
    static var labels: [String: Wording] { get }
}

extension Worded {
    public var id: String { rawValue }
    public var label: String { Self.labels[rawValue].map(localized) ?? rawValue }
}

extension Scope: Worded {
    public static let labels: [String: Wording] = [
        "readOnly": "Read Only", "readWrite": "Read & Write", "fullAccess": "Full Access",
    ]

    public var explanation: String {
        switch self {
        case .readOnly: localized("Lists, describes and reads.")
        case .readWrite: localized("Also runs statements that write.")
        case .fullAccess: localized("Also asks you about destructive statements and ends server sessions.")
        }
    }
}

extension TokenExpiry {
    public var label: String {
        guard let days else { return localized("Never") }
        return counted(days, one: "After \(number: days) day", other: "After \(number: days) days")
    }
}

extension ExternalClientsLevel: Worded {
    public static let labels: [String: Wording] = ["blocked": "Blocked", "readOnly": "Read Only", "readWrite": "Read & Write"]
}

extension Engine: Worded {
    public static let labels: [String: Wording] = ["postgres": "PostgreSQL", "mysql": "MySQL or MariaDB", "sqlite": "SQLite"]
}

extension TokenState: Worded {
    public static let labels: [String: Wording] = [
        "valid": "Valid", "uncollected": "Not yet collected", "expired": "Expired", "revoked": "Revoked",
    ]
}
