/// Asks the person here before the app's own request widens access (spec §11): what they choose in
/// Settings or the menu, told in the daemon's words. What they decide on a sheet of its own (a
/// pairing, a question) carries its confirmation already.
public struct ConfirmationPrompt: Equatable, Sendable {
    /// The daemon's sentence: what is widened.
    public let sentence: String
    /// What would change, to be read before it is allowed.
    public let changes: [Fact]

    public init(_ error: ControlError) {
        sentence = ShownText.oneLine(error.sentence)
        changes = error.facts.shown
    }

    /// - Parameter endWasShown: the last of what would change has been in sight.
    public func choices(endWasShown: Bool) -> [Choice<Bool>] {
        let unread = remark(endWasShown: endWasShown)
        return .yesOrNo(yes: localized("Allow"), unread.map { .dimmed($0) } ?? .enabled, no: localized("Cancel"))
    }

    /// What is missing before it can be allowed; nil where nothing is.
    public func remark(endWasShown: Bool) -> String? {
        changes.unreadRemark(endWasShown: endWasShown)
    }

    public var title: String { localized("Give AI clients more access?") }
}

extension ControlClient {
    /// Asks again, confirmed, what was refused for want of it, until it is done, given up, or
    /// refused for good.
    /// - Parameters:
    ///   - confirmed: has the person say yes in a window of ours; false where they don't, and the
    ///     refusal then stands.
    ///   - touched: has Touch ID sign; nil where nobody touched it, and the passphrase is asked for
    ///     then.
    ///   - passphrase: has it typed in a window of ours, or a first one chosen, where the daemon
    ///     takes nothing else; nil where it was given up.
    /// - Throws: `Failure`
    public func askConfirming<Asked: ControlCommand>(
        _ command: Asked, confirmed: @Sendable (ConfirmationPrompt) async -> Bool = { _ in false },
        touched: @Sendable (_ challenge: String) async -> String? = { _ in nil },
        passphrase: @Sendable (PassphrasePrompt) async -> String?
    ) async throws -> Asked.Answer {
        var typed: TypedPassphrase?
        var confirm: ConfirmationPlace?
        var touchId: String?
        while true {
            do {
                return try await ask(command, typed: typed, confirm: confirm, touchId: touchId)
            } catch Failure.refused(let error) where error.wantsConfirmation && confirm == nil {
                guard await confirmed(ConfirmationPrompt(error)) else { throw Failure.refused(error) }
                confirm = .app
                if let challenge = error.touchChallenge { touchId = await touched(challenge) }
            } catch Failure.refused(let error) where error.wantsPassphrase || error.wantsFirstPassphrase {
                guard let next = await passphrase(PassphrasePrompt(error)) else { throw Failure.refused(error) }
                typed = TypedPassphrase(next, for: error)
            }
        }
    }
}
