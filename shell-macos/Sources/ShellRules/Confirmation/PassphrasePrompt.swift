/// Asks for the owner passphrase if the daemon wants it for a privilege increase (spec §11), or for
/// a first one if none is chosen yet. The daemon checks it and counts the tries. The app keeps it
/// only until it is sent.
public struct PassphrasePrompt: Hashable, Sendable {
    /// The daemon's sentence: the access that is given, or that the last passphrase was wrong.
    public let sentence: String
    /// The changes, to be read before the confirmation.
    public let changes: [Fact]
    /// No passphrase is chosen yet, so it is typed twice.
    public let isFirst: Bool

    /// - Parameter wasRead: the card above the prompt shows the changes, and was read to its end.
    public init(_ error: ControlError, wasRead: Bool = false) {
        sentence = error.shownSentence
        changes = wasRead ? [] : error.facts.shown
        isFirst = error.wantsFirstPassphrase
    }

    /// The sentence right above the field.
    public var request: String {
        isFirst
            ? localized(
                "No owner passphrase is chosen yet: choose one, of \(number: PassphraseForm.leastCharacters) characters or more, to allow this."
            )
            : localized("Type the owner passphrase to allow this.")
    }

    /// - Parameter endWasShown: the last of the changes has been in sight.
    public func canConfirm(typed: PassphraseForm, endWasShown: Bool) -> Bool {
        missing(typed, endWasShown) == nil
    }

    /// The answer true confirms.
    public func choices(typed: PassphraseForm, endWasShown: Bool) -> [Choice<Bool>] {
        let confirm = missing(typed, endWasShown).map { ButtonState.dimmed($0) } ?? .enabled
        return [
            Choice(localized("Cancel"), false, keys: [.escape]),
            Choice(isFirst ? localized("Choose and Allow") : localized("Confirm"), true, keys: [.returnKey], confirm),
        ]
    }

    /// What is missing for the confirmation, or wrong with the typed text. Nil if only the
    /// passphrase is missing.
    public func remark(typed: PassphraseForm, endWasShown: Bool) -> String? {
        changes.unreadRemark(endWasShown: endWasShown) ?? (isFirst && !typed.first.isEmpty ? typed.problem : nil)
    }

    private func missing(_ typed: PassphraseForm, _ endWasShown: Bool) -> String? {
        if let unread = changes.unreadRemark(endWasShown: endWasShown) { return unread }
        return isFirst ? typed.problem : typed.first.isEmpty ? request : nil
    }
}

/// A typed passphrase: once to confirm, and twice to choose a new one.
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

/// The passphrase that was typed to confirm a request.
public struct TypedPassphrase: Equatable, Sendable {
    public let text: String
    /// There was none, so it is set first.
    public let isFirst: Bool

    init(_ text: String, for error: ControlError) {
        self.text = text
        isFirst = error.wantsFirstPassphrase
    }
}

extension ControlClient {
    /// - Parameters:
    ///   - typed: the passphrase of the person. A first one is set, and then confirms the request.
    ///   - confirm: as `ask` has it.
    /// - Throws: `Failure`
    public func ask<Asked: ControlCommand>(
        _ command: Asked, typed: TypedPassphrase?, confirm: ConfirmationPlace? = nil, touchId: String? = nil
    ) async throws -> Asked.Answer {
        if let typed, typed.isFirst { _ = try await ask(Command.PassphraseSet(passphrase: typed.text)) }
        return try await ask(command, passphrase: typed?.text, confirm: confirm, touchId: touchId)
    }
}
