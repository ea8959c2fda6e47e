/// Asks the person before the app's own request gives more access (spec §11). It is for choices in
/// Settings and the menu, told in the daemon's words. A card of what waits is itself the
/// confirmation.
public struct ConfirmationPrompt: Equatable, Sendable {
    /// The daemon's sentence: the access that is given.
    public let sentence: String
    /// The changes, to be read before the approval.
    public let changes: [Fact]

    public init(_ error: ControlError) {
        sentence = error.shownSentence
        changes = error.facts.shown
    }

    /// - Parameter endWasShown: the last of the changes has been in sight.
    public func choices(endWasShown: Bool) -> [Choice<Bool>] {
        let unread = remark(endWasShown: endWasShown)
        return .yesOrNo(yes: localized("Allow"), unread.map { .dimmed($0) } ?? .enabled, no: localized("Cancel"))
    }

    /// What is missing for the approval. Nil if nothing is.
    public func remark(endWasShown: Bool) -> String? {
        changes.unreadRemark(endWasShown: endWasShown)
    }

    public var title: String { localized("Give AI clients more access?") }
}

extension ControlClient {
    /// Asks a request again with the confirmation that it lacked, until it is done, given up, or
    /// refused for good.
    /// - Parameters:
    ///   - confirmed: asks the person for approval in a window of the app. If it is false, the
    ///     refusal stands.
    ///   - touched: has Touch ID sign. Nil if nobody touched it: then the app asks for the
    ///     passphrase.
    ///   - passphrase: has the person type it in a window of the app, if the daemon takes nothing
    ///     else. Nil if the person gave it up.
    /// - Throws: `Failure`
    public func askConfirming<Asked: ControlCommand>(
        _ command: Asked, confirmed: @Sendable (ConfirmationPrompt) async -> Bool = { _ in false },
        touched: @Sendable (TouchID.Asked) async -> String? = { _ in nil },
        passphrase: @Sendable (PassphrasePrompt) async -> String?
    ) async throws -> Asked.Answer {
        var typed: String?
        var confirm: ConfirmationPlace?
        var touchId: String?
        while true {
            do {
                return try await ask(command, passphrase: typed, confirm: confirm, touchId: touchId)
            } catch Failure.refused(let error) where error.wantsConfirmation && (confirm == nil || !error.wantsPassphrase) {
                // A second time, what was shown has changed since.
                guard await confirmed(ConfirmationPrompt(error)) else { throw Failure.refused(error) }
                confirm = .app
                if let touch = error.touch { touchId = await touched(touch) }
            } catch Failure.refused(let error) where error.wantsPassphrase {
                guard let next = await passphrase(PassphrasePrompt(error)) else { throw Failure.refused(error) }
                typed = next
            }
        }
    }
}
