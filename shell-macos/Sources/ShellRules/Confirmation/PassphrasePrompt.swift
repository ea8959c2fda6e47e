/// Asks for the owner passphrase where the daemon wants a widening confirmed by it (spec §11), or
/// for a first one where none is chosen yet. The daemon checks it and counts the tries; this holds
/// it for no longer than it takes to send.
public struct PassphrasePrompt: Hashable, Sendable {
    /// The daemon's sentence: what is widened, or that the last one was wrong.
    public let sentence: String
    /// What would change, to be read before it is confirmed.
    public let changes: [Fact]
    /// None is chosen yet: it is to be typed twice.
    public let isFirst: Bool

    public init(_ error: ControlError) {
        sentence = ShownText.oneLine(error.sentence)
        changes = error.facts.shown
        isFirst = error.wantsFirstPassphrase
    }

    /// What stands right above the field, below all that it will allow.
    public var request: String {
        isFirst
            ? localized(
                "No owner passphrase is chosen yet: choose one, of \(number: PassphraseForm.leastCharacters) characters or more, to allow this."
            )
            : localized("Type the owner passphrase to allow this.")
    }

    /// - Parameter endWasShown: the last of what would change has been in sight.
    public func canConfirm(typed: PassphraseForm, endWasShown: Bool) -> Bool {
        missing(typed, endWasShown) == nil
    }

    /// True confirms.
    public func choices(typed: PassphraseForm, endWasShown: Bool) -> [Choice<Bool>] {
        let confirm = missing(typed, endWasShown).map { ButtonState.dimmed($0) } ?? .enabled
        return [
            Choice(localized("Cancel"), false, keys: [.escape]),
            Choice(isFirst ? localized("Choose and Allow") : localized("Confirm"), true, keys: [.returnKey], confirm),
        ]
    }

    /// What is missing before it can be confirmed, or wrong with what was typed; nil where nothing
    /// is, save the passphrase.
    public func remark(typed: PassphraseForm, endWasShown: Bool) -> String? {
        changes.unreadRemark(endWasShown: endWasShown) ?? (isFirst && !typed.first.isEmpty ? typed.problem : nil)
    }

    private func missing(_ typed: PassphraseForm, _ endWasShown: Bool) -> String? {
        if let unread = changes.unreadRemark(endWasShown: endWasShown) { return unread }
        return isFirst ? typed.problem : typed.first.isEmpty ? request : nil
    }
}

/// A passphrase that is typed: once where it is one that holds, and twice where it is a first one,
/// or another in its place.
public struct PassphraseForm: Equatable, Sendable {
    public static let leastCharacters = 8
    public static let mostCharacters = 256

    public var first = ""
    public var again = ""

    public init() {}

    /// A sentence; nil while nothing is wrong with a new one.
    public var problem: String? {
        let count = first.unicodeScalars.count
        if !(PassphraseForm.leastCharacters...PassphraseForm.mostCharacters).contains(count) {
            return localized(
                "\(number: PassphraseForm.leastCharacters) to \(number: PassphraseForm.mostCharacters) characters are expected.")
        }
        return HMAC.isSame(first, again) ? nil : localized("The two are not the same.")
    }

    public var command: Command.PassphraseSet? {
        problem == nil ? Command.PassphraseSet(passphrase: first) : nil
    }

    public var resetCommand: Command.PassphraseReset? {
        problem == nil ? Command.PassphraseReset(passphrase: first) : nil
    }
}

/// What was typed to confirm a request.
public struct TypedPassphrase: Equatable, Sendable {
    public let text: String
    /// To be set before: there was none.
    public let isFirst: Bool

    init(_ text: String, for error: ControlError) {
        self.text = text
        isFirst = error.wantsFirstPassphrase
    }
}

extension ControlClient {
    /// - Parameters:
    ///   - typed: what the person confirms it by; a first one is set, and then confirms it.
    ///   - confirm: as `ask` has it.
    /// - Throws: `Failure`
    public func ask<Asked: ControlCommand>(
        _ command: Asked, typed: TypedPassphrase?, confirm: ConfirmationPlace? = nil, touchId: String? = nil
    ) async throws -> Asked.Answer {
        if let typed, typed.isFirst { _ = try await ask(Command.PassphraseSet(passphrase: typed.text)) }
        return try await ask(command, passphrase: typed?.text, confirm: confirm, touchId: touchId)
    }
}
