/// A person's answer to a sheet: by its buttons, by its close button, or with the owner passphrase
/// that the daemon wants.
public enum DecisionAnswer: Equatable, Sendable {
    case pressed(Verdict)
    case closed
    case typedPassphrase(String)
    case gaveUpPassphrase

    /// - Parameter typed: nil if the person gave it up, which is no answer to the question.
    public static func passphrase(_ typed: String?) -> DecisionAnswer { typed.map { .typedPassphrase($0) } ?? .gaveUpPassphrase }
}

/// A sheet to approve or deny.
public protocol DecisionSheet {
    var deciding: Deciding { get }
    var denyLabel: String { get }
    var approveLabel: String { get }
    func approveButton(at now: Moment) -> ButtonState
    /// The sentence above the buttons. Nil while there is none.
    func remark(at now: Moment) -> String?
}

extension DecisionSheet {
    /// In drawing order. Approve has no key. Return and Esc deny, and close an ended sheet.
    public func choices(at now: Moment) -> [Choice<DecisionAnswer>] {
        guard deciding.ending == nil else { return [Choice(localized("Close"), .closed, keys: [.returnKey, .escape])] }
        return [
            Choice(approveLabel, .pressed(.approve), approveButton(at: now)),
            Choice(denyLabel, .pressed(.deny), keys: [.returnKey, .escape], deciding.denyButton(at: now)),
        ]
    }
}

extension PairingSheet: DecisionSheet {
    public var denyLabel: String { localized("Deny") }
    public var approveLabel: String { localized("Approve") }
}
extension PairingSheet.Event {
    public init(_ answer: DecisionAnswer) {
        switch answer {
        case .pressed(let verdict): self = .pressed(verdict)
        case .closed: self = .closed
        case .typedPassphrase(let passphrase): self = .typedPassphrase(passphrase)
        case .gaveUpPassphrase: self = .gaveUpPassphrase
        }
    }
}
