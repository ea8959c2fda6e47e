/// Asks for the owner passphrase where the daemon wants a widening confirmed by it (spec §11). The daemon checks it and counts the
/// tries; this holds it for no longer than it takes to send.
public struct PassphrasePrompt: Hashable, Sendable {
    /// The daemon's sentence: what is widened, or that the last one was wrong.
    public let sentence: String
    /// What would change, to be read before it is confirmed.
    public let changes: [Fact]

    public init(_ error: ControlError) {
        sentence = ShownText.oneLine(error.message)
        changes = error.facts.shown
    }

    /// - Parameter endWasShown: the last of what would change has been in sight.
    public func canConfirm(typed: String, endWasShown: Bool) -> Bool {
        !typed.isEmpty && remark(endWasShown: endWasShown) == nil
    }

    /// True confirms.
    public func choices(typed: String, endWasShown: Bool) -> [Choice<Bool>] {
        let missing = remark(endWasShown: endWasShown) ?? localized("Type the owner passphrase.")
        let confirm: ButtonState = canConfirm(typed: typed, endWasShown: endWasShown) ? .enabled : .dimmed(missing)
        return [
            Choice(localized("Cancel"), false, keys: [.escape]),
            Choice(localized("Confirm"), true, keys: [.returnKey], confirm),
        ]
    }

    /// What is missing before it can be confirmed, save the passphrase; nil where nothing is.
    public func remark(endWasShown: Bool) -> String? {
        changes.unreadRemark(endWasShown: endWasShown)
    }
}

/// A first owner passphrase, or another in its place.
public struct PassphraseForm: Equatable, Sendable {
    public static let leastCharacters = 8
    public static let mostCharacters = 256

    public var first = ""
    public var again = ""

    public init() {}

    /// A sentence; nil while nothing is wrong.
    public var problem: String? {
        let count = first.unicodeScalars.count
        if !(PassphraseForm.leastCharacters...PassphraseForm.mostCharacters).contains(count) {
            return localized(
                "\(number: PassphraseForm.leastCharacters) to \(number: PassphraseForm.mostCharacters) characters are expected.")
        }
        return HMAC.isSame(first, again) ? nil : localized("The two are not the same.")
    }

    public var command: Command.SetPassphrase? {
        problem == nil ? Command.SetPassphrase(passphrase: first) : nil
    }
}

extension ControlClient {
    /// Asks again with the owner passphrase what was refused for want of it, until it is right, given up, or refused for good.
    /// - Parameter passphrase: has it typed in a window of ours; nil where it was given up, and the refusal then stands.
    /// - Throws: `Failure`
    public func askConfirming<Asked: ControlCommand>(
        _ command: Asked, passphrase: @Sendable (PassphrasePrompt) async -> String?
    ) async throws -> Asked.Answer {
        var typed: String?
        while true {
            do {
                return try await ask(command, passphrase: typed)
            } catch Failure.refused(let error) where error.wantsPassphrase {
                guard let next = await passphrase(PassphrasePrompt(error)) else { throw Failure.refused(error) }
                typed = next
            }
        }
    }
}
