import Foundation
import ShellRules

/// Sends the daemon the commands that a person chose in Settings or the menu. The person confirms a
/// privilege increase (spec §11).
extension ShellModel {
    typealias Outcome<Asked: ControlCommand> = Result<Asked.Answer, ControlClient.Failure>

    /// Asks the person for confirmation or the owner passphrase if the daemon wants it.
    func attempt<Asked: ControlCommand>(_ command: Asked) async -> Outcome<Asked> {
        if client == nil, state.link.isUnproved { return await daemon.brakes.ask(command, because: state.link.sentence) }
        let typed = Locked<String?>(nil)
        let answer = await outcome { client in
            try await client.askConfirming(
                command, confirmed: { [prompts] prompt in await prompts.confirmed(prompt) }, touched: OwnerKey.sign,
                passphrase: { [prompts] prompt in
                    let passphrase = await prompts.passphrase(prompt)
                    typed.use { $0 = passphrase }
                    return passphrase
                })
        }
        offerTouchID(answer, after: typed.use { $0 })
        return answer
    }

    /// Sends the passphrase that a sheet has asked for.
    func attempt<Asked: ControlCommand>(_ command: Asked, passphrase: TypedPassphrase?) async -> Outcome<Asked> {
        let answer = await outcome { client in try await client.ask(command, typed: passphrase, touched: OwnerKey.sign) }
        offerTouchID(answer, after: passphrase?.text)
        return answer
    }

    /// Offers Touch ID once, after a passphrase has confirmed a command: the daemon takes the key
    /// with that passphrase only.
    private func offerTouchID<Answer>(_ answer: Result<Answer, ControlClient.Failure>, after typed: String?) {
        guard case .success = answer, let typed, state.mayOfferTouchID, OwnerKey.canBeMade else { return }
        let declined = "touchIDWasDeclined"
        guard !UserDefaults.standard.bool(forKey: declined) else { return }
        Task {
            let (use, later) = (localized("Use Touch ID"), localized("Not Now"))
            guard SystemAlert.isMeant(TouchID.offer, TouchID.offerText, yes: use, no: later) else {
                return UserDefaults.standard.set(true, forKey: declined)
            }
            guard let key = await OwnerKey.make() else { return windows.tell(TouchID.failedSentence) }
            let taken = await outcome { try await $0.ask(Command.PassphraseTouchId(publicKey: key), passphrase: typed) }
            if case .failure(let failure) = taken { windows.tell(failure.sentence) }
            loadLists()
        }
    }

    /// Loads the lists again after the command.
    /// - Returns: nil if the command failed or the person gave up. A failure is shown.
    @discardableResult
    func ask<Asked: ControlCommand>(_ command: Asked) async -> Asked.Answer? {
        let answer = await answer(to: command)
        if answer != nil { loadLists() }
        return answer
    }

    /// Sends a command that changes nothing in the lists.
    /// - Returns: nil as `ask` does.
    func answer<Asked: ControlCommand>(to command: Asked) async -> Asked.Answer? {
        switch await attempt(command) {
        case .success(let answer): return answer
        case .failure(let failure):
            if !failure.isGivenUp { windows.tell(failure.sentence) }
            return nil
        }
    }

    private func outcome<Answer: Sendable>(
        _ ask: @Sendable (ControlClient) async throws -> Answer
    ) async -> Result<Answer, ControlClient.Failure> {
        guard let client else { return .failure(.lost) }
        do {
            return .success(try await ask(client))
        } catch {
            return .failure(error as? ControlClient.Failure ?? .lost)
        }
    }
}
