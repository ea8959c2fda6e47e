/// What people read for the daemon's words.

extension Scope {
    public var label: String {
        switch self {
        case .readOnly: localized("Read Only")
        case .readWrite: localized("Read & Write")
        case .fullAccess: localized("Full Access")
        }
    }

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

extension ExternalClientsLevel {
    public var label: String {
        switch self {
        case .blocked: localized("Blocked")
        case .readOnly: localized("Read Only")
        case .readWrite: localized("Read & Write")
        }
    }
}

extension AiPolicy {
    public var label: String {
        switch self {
        case .always: localized("Always")
        case .askEachTime: localized("Ask Each Time")
        case .never: localized("Never")
        }
    }
}

extension Engine {
    public var label: String {
        switch self {
        case .postgres: localized("PostgreSQL")
        case .mysql: localized("MySQL or MariaDB")
        case .sqlite: "SQLite"
        }
    }
}

extension TlsMode {
    public var label: String {
        switch self {
        case .disable: localized("Off")
        case .prefer: localized("When offered")
        case .require: localized("Required, certificate not checked")
        case .verifyCa: localized("Required, issuer checked")
        case .verifyFull: localized("Required, issuer and name checked")
        }
    }
}

extension Databases {
    public var label: String {
        switch self {
        case .own: localized("Only this database")
        case .all: localized("Every database of the server")
        }
    }
}

extension TokenState {
    public var label: String {
        switch self {
        case .valid: localized("Valid")
        case .uncollected: localized("Not yet collected")
        case .expired: localized("Expired")
        case .revoked: localized("Revoked")
        }
    }
}

extension ConnectionForm {
    /// What people read for one of `colours`; any other word stays as it is.
    public static func label(ofColour colour: String) -> String {
        switch colour {
        case "red": localized("Red")
        case "orange": localized("Orange")
        case "yellow": localized("Yellow")
        case "green": localized("Green")
        case "blue": localized("Blue")
        case "purple": localized("Purple")
        case "pink": localized("Pink")
        case "brown": localized("Brown")
        case "grey": localized("Gray")
        default: colour
        }
    }
}
