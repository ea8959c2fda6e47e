/// The password's row of the connection editor. What is typed for one kind stays while another is
/// shown.
extension ConnectionForm {
    public enum PasswordKind: String, Worded, Sendable {
        case kept, none, typed, command

        public static let labels: [String: Wording] = [
            "kept": "As saved in the keychain", "none": "None", "typed": "Kept by Sallyport", "command": "Printed by a command",
        ]
    }

    /// "Kept" needs a saved password.
    public var passwordKinds: [PasswordKind] {
        PasswordKind.allCases.filter { $0 != .kept || former.passwordKind == .kept }
    }

    var passwordChange: Command.ConnectionsSave.Password? {
        let isSameCommand = fields.passwordCommand == former.passwordCommand
        let isAsBefore = fields.passwordKind == former.passwordKind && (fields.passwordKind != .command || isSameCommand)
        return switch fields.passwordKind {
        case _ where fields.engine == .sqlite: nil
        case .typed: .stored(value: fields.password)
        case _ where isAsBefore: nil
        case .kept: nil
        case .none: Command.ConnectionsSave.Password.none
        case .command: .command(command: fields.passwordCommand)
        }
    }

    /// A note beside the command, as whoever sets one runs programs as this user.
    public static var commandNote: String {
        localized("Run as you whenever the database is dialled; what it prints on its first line is the password.")
    }
}
