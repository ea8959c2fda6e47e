/// Asks for the owner passphrase if the daemon wants it for a privilege increase (spec §11). The
/// daemon checks it and counts the tries. The app keeps it only until it is sent.
public struct PassphrasePrompt: Hashable, Sendable {
    /// The daemon's sentence: the access that is given, or that the last passphrase was wrong.
    public let sentence: String
    /// The changes, to be read before the confirmation.
    public let changes: [Fact]

    /// - Parameter wasRead: the card above the prompt shows the changes, and was read to its end.
    public init(_ error: ControlError, wasRead: Bool = false) {
        sentence = error.shownSentence
        changes = wasRead ? [] : error.facts.shown
    }

    /// The sentence right above the field.
    public var request: String { localized("Type the owner passphrase to allow this.") }

    /// - Parameter endWasShown: the last of the changes has been in sight.
    public func canConfirm(typed: String, endWasShown: Bool) -> Bool {
        remark(endWasShown: endWasShown) == nil && !typed.isEmpty
    }

    /// The answer true confirms.
    public func choices(typed: String, endWasShown: Bool) -> [Choice<Bool>] {
        let missing = remark(endWasShown: endWasShown) ?? (typed.isEmpty ? request : nil)
        return [
            Choice(localized("Cancel"), false, keys: [.escape]),
            Choice(localized("Confirm"), true, keys: [.returnKey], missing.map { .dimmed($0) } ?? .enabled),
        ]
    }

    /// What is missing besides the passphrase. Nil if nothing is.
    public func remark(endWasShown: Bool) -> String? { changes.unreadRemark(endWasShown: endWasShown) }
}

/// A new passphrase, typed twice.
public struct PassphraseForm: Equatable, Sendable {
    public static let leastCharacters = 8
    public static let mostCharacters = 256

    public var first = ""
    public var again = ""

    public init() {}

    /// A sentence. Nil while nothing is wrong with a new one.
    public var problem: String? {
        let count = first.unicodeScalars.count
        if !(PassphraseForm.leastCharacters...PassphraseForm.mostCharacters).contains(count) {
            return localized(
                "\(number: PassphraseForm.leastCharacters) to \(number: PassphraseForm.mostCharacters) characters are expected.")
        }
        return Hashing.isSame(first, again) ? nil : localized("The two passphrases differ.")
    }

    public var command: Command.PassphraseSet? {
        problem == nil ? Command.PassphraseSet(passphrase: first) : nil
    }

    public var resetCommand: Command.PassphraseReset? {
        problem == nil ? Command.PassphraseReset(passphrase: first) : nil
    }
}
