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

extension AiPolicy: Worded {
    public static let labels: [String: Wording] = ["always": "Always", "askEachTime": "Ask Each Time", "never": "Never"]
}

extension Engine: Worded {
    public static let labels: [String: Wording] = ["postgres": "PostgreSQL", "mysql": "MySQL or MariaDB", "sqlite": "SQLite"]
}

extension TlsMode: Worded {
    public static let labels: [String: Wording] = [
        "disable": "Off", "prefer": "When offered", "require": "Required, certificate not checked",
        "verify-ca": "Required, issuer checked", "verify-full": "Required, issuer and name checked",
    ]
}

extension Databases: Worded {
    public static let labels: [String: Wording] = ["own": "Only this database", "all": "Every database of the server"]
}

extension TokenState: Worded {
    public static let labels: [String: Wording] = [
        "valid": "Valid", "uncollected": "Not yet collected", "expired": "Expired", "revoked": "Revoked",
    ]
}

extension ConnectionForm {
    public static let colours = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "grey"]

    /// The named colours, and the connection's own `#rrggbb`.
    public var colours: [String] {
        ConnectionForm.colours + [former.colour].compactMap { $0 }.filter { !ConnectionForm.colours.contains($0) }
    }

    /// Red, green and blue of `#rrggbb`, from 0 to 1. Nil for any other text.
    public static func components(ofColour colour: String) -> [Double]? {
        guard colour.begins(with: "#"), colour.utf8.count == 7, let number = Int(colour.dropFirst(), radix: 16), !colour.has("+"),
            number >= 0
        else { return nil }
        return [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
    }

    /// The label of one of `colours`. Any other word stays.
    public static func label(ofColour colour: String) -> String { colourLabels[colour].map(localized) ?? colour }

    private static let colourLabels: [String: Wording] = [
        "red": "Red", "orange": "Orange", "yellow": "Yellow", "green": "Green", "blue": "Blue", "purple": "Purple", "pink": "Pink",
        "brown": "Brown", "grey": "Gray",
    ]
}
