/// The password's row of the connection editor: which kind it is, and what is typed for that kind.
extension ConnectionForm {
    public enum PasswordKind: String, CaseIterable, Identifiable, Sendable {
        case kept, none, typed, command

        public var id: String { rawValue }

        public var label: String {
            switch self {
            case .kept: localized("As saved in the keychain")
            case .none: localized("None")
            case .typed: localized("Kept by Sallyport")
            case .command: localized("Printed by a command")
            }
        }
    }

    /// A password is kept only where one was saved.
    public var passwordKinds: [PasswordKind] {
        saved?.password == .stored ? [.kept, .none, .typed, .command] : [.none, .typed, .command]
    }

    public var passwordKind: PasswordKind {
        get {
            switch fields.password {
            case .keep: saved?.password == .stored ? .kept : .none
            case .none: .none
            case .typed: .typed
            case .command: .command
            }
        }
        set {
            guard newValue != passwordKind else { return }
            switch newValue {
            case .kept: fields.password = .keep
            case .none: fields.password = saved?.password == .stored ? .none : former.password == .keep ? .keep : .none
            case .typed: fields.password = .typed("")
            case .command: fields.password = former.password.isCommand ? former.password : .command("")
            }
        }
    }

    public var typedPassword: String {
        get { if case .typed(let password) = fields.password { password } else { "" } }
        set { if passwordKind == .typed { fields.password = .typed(newValue) } }
    }

    public var passwordCommand: String {
        get { if case .command(let command) = fields.password { command } else { "" } }
        set { if passwordKind == .command { fields.password = .command(newValue) } }
    }

    /// A note beside the command: who may set one runs programs as this user.
    public static var commandNote: String {
        localized("Run as you whenever the database is dialled; what it prints on its first line is the password.")
    }
}

extension ConnectionForm.Password {
    var isCommand: Bool { if case .command = self { true } else { false } }
}
