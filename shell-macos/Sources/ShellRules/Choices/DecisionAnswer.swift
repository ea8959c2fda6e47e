/// What a person answers to a sheet: by its buttons, its close button, or the owner passphrase that
/// the daemon wants with it.
public enum DecisionAnswer: Equatable, Sendable {
    case pressed(Verdict)
    case closed
    case typedPassphrase(String)
    case gaveUpPassphrase

    /// - Parameter typed: nil where it was given up, which is no answer to what is asked.
    public static func passphrase(_ typed: String?) -> DecisionAnswer { typed.map { .typedPassphrase($0) } ?? .gaveUpPassphrase }
}

/// A sheet with a yes and a no.
public protocol DecisionSheet {
    var deciding: Deciding { get }
    var denyLabel: String { get }
    var approveLabel: String { get }
    func approveButton(at now: Moment) -> ButtonState
    /// The sentence above the buttons; nil while there is none.
    func remark(at now: Moment) -> String?
}

extension DecisionSheet {
    /// In the order to be drawn. Approve has no key; Return and Esc deny, and close what has ended.
    public func choices(at now: Moment) -> [Choice<DecisionAnswer>] {
        guard deciding.ending == nil else { return [Choice(localized("Close"), .closed, keys: [.returnKey, .escape])] }
        return [
            Choice(approveLabel, .pressed(.approve), approveButton(at: now)),
            Choice(denyLabel, .pressed(.deny), keys: [.returnKey, .escape], deciding.denyButton(at: now)),
        ]
    }
}

extension QuestionSheet: DecisionSheet {}
extension QuestionSheet.Event {
    public init(_ answer: DecisionAnswer) {
        switch answer {
        case .pressed(let verdict): self = .pressed(verdict)
        case .closed: self = .closed
        case .typedPassphrase(let passphrase): self = .typedPassphrase(passphrase)
        case .gaveUpPassphrase: self = .gaveUpPassphrase
        }
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

extension ConfirmationSheet: DecisionSheet {}
extension ConfirmationSheet.Event {
    /// Nil for a passphrase: nobody is asked for one here, being the app is what confirms.
    public init?(_ answer: DecisionAnswer) {
        switch answer {
        case .pressed(let verdict): self = .pressed(verdict)
        case .closed: self = .closed
        case .typedPassphrase, .gaveUpPassphrase: return nil
        }
    }
}
