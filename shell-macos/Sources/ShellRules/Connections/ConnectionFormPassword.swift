/// The password's row of the connection editor: which kind it is. What is typed for a kind stays while another is looked at.
extension ConnectionForm {
    public enum PasswordKind: String, Worded, Sendable {
        case kept, none, typed, command

        public static let labels: [String: Wording] = [
            "kept": "As saved in the keychain", "none": "None", "typed": "Kept by Sallyport", "command": "Printed by a command",
        ]
    }

    /// A password is kept only where one was saved.
    public var passwordKinds: [PasswordKind] {
        PasswordKind.allCases.filter { $0 != .kept || former.passwordKind == .kept }
    }

    var passwordChange: Command.ConnectionsSave.Password? {
        let isAsBefore = fields.passwordKind == former.passwordKind && fields.passwordCommand == former.passwordCommand
        guard fields.engine != .sqlite, !isAsBefore || fields.passwordKind == .typed else { return nil }
        switch fields.passwordKind {
        case .kept: return nil
        case .none: return former.passwordKind == .none ? nil : Command.ConnectionsSave.Password.none
        case .typed: return .stored(value: fields.password)
        case .command: return .command(command: fields.passwordCommand)
        }
    }

    /// A note beside the command: who may set one runs programs as this user.
    public static var commandNote: String {
        localized("Run as you whenever the database is dialled; what it prints on its first line is the password.")
    }
}
