/// What people read for the daemon's words.

extension Scope {
    public var label: String {
        switch self {
        case .readOnly: "Read Only"
        case .readWrite: "Read & Write"
        case .fullAccess: "Full Access"
        }
    }

    public var explanation: String {
        switch self {
        case .readOnly: "Lists, describes and reads."
        case .readWrite: "Also runs statements that write."
        case .fullAccess: "Also asks you about destructive statements and ends server sessions."
        }
    }
}

extension TokenExpiry {
    public var label: String {
        guard let days else { return "Never" }
        return days == 1 ? "After 1 day" : "After \(days) days"
    }
}

extension ExternalClientsLevel {
    public var label: String {
        switch self {
        case .blocked: "Blocked"
        case .readOnly: "Read Only"
        case .readWrite: "Read & Write"
        }
    }
}

extension AIPolicy {
    public var label: String {
        switch self {
        case .always: "Always"
        case .askEachTime: "Ask Each Time"
        case .never: "Never"
        }
    }
}

extension Engine {
    public var label: String {
        switch self {
        case .postgres: "PostgreSQL"
        case .mysql: "MySQL or MariaDB"
        case .sqlite: "SQLite"
        }
    }
}

extension TLSMode {
    public var label: String {
        switch self {
        case .disable: "Off"
        case .prefer: "When offered"
        case .require: "Required, certificate not checked"
        case .verifyCA: "Required, issuer checked"
        case .verifyFull: "Required, issuer and name checked"
        }
    }
}

extension Databases {
    public var label: String {
        switch self {
        case .own: "Only this database"
        case .all: "Every database of the server"
        }
    }
}

extension TokenState {
    public var label: String {
        switch self {
        case .valid: "Valid"
        case .expired: "Expired"
        case .revoked: "Revoked"
        }
    }
}

extension ConnectionForm {
    /// What people read for one of `colours`; any other word stays as it is.
    public static func label(ofColour colour: String) -> String {
        switch colour {
        case "red": "Red"
        case "orange": "Orange"
        case "yellow": "Yellow"
        case "green": "Green"
        case "blue": "Blue"
        case "purple": "Purple"
        case "pink": "Pink"
        case "brown": "Brown"
        case "grey": "Grey"
        default: colour
        }
    }
}
