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
        // A passphrase that was just chosen holds from now on, and the one before it no longer.
        offerTouchID(answer, after: (command as? Command.PassphraseSet)?.passphrase ?? typed.use { $0 })
        return answer
    }

    /// Sends the passphrase that a sheet has asked for.
    func attempt<Asked: ControlCommand>(_ command: Asked, passphrase: String?) async -> Outcome<Asked> {
        let answer = await outcome { client in try await client.ask(command, typed: passphrase, touched: OwnerKey.sign) }
        offerTouchID(answer, after: passphrase)
        return answer
    }

    /// Offers Touch ID after a passphrase was chosen or has confirmed a command: the daemon takes
    /// the key with that passphrase only.
    private func offerTouchID<Answer>(_ answer: Result<Answer, ControlClient.Failure>, after typed: String?) {
        guard case .success = answer, let typed, OwnerKey.canBeMade else { return }
        let key = "touchIDWasDeclinedAt"
        let declined = UserDefaults.standard.object(forKey: key) as? Date
        guard TouchID.mayBeOffered(declined: declined, now: Date()) else { return }
        Task {
            // The command may have changed what holds.
            guard case .success(let status) = await outcome({ try await $0.ask(Command.Status()) }), status.mayUseTouchID,
                status.passphrase.touchId != true
            else { return }
            let (use, later) = (localized("Use Touch ID"), localized("Not Now"))
            guard SystemAlert.isMeant(TouchID.offer, TouchID.offerText, yes: use, no: later) else {
                return UserDefaults.standard.set(Date(), forKey: key)
            }
            await useTouchID { command in
                await outcome { try await $0.ask(command, passphrase: typed) }
            }
        }
    }

    /// In Settings. The daemon asks for the passphrase before it takes a key, and gives one back
    /// without it.
    func useTouchID(_ isOn: Bool) async {
        if isOn { await useTouchID(attempt) } else { await ask(Command.PassphraseTouchId(publicKey: nil)) }
    }

    private func useTouchID(_ ask: (Command.PassphraseTouchId) async -> Outcome<Command.PassphraseTouchId>) async {
        guard let key = await OwnerKey.make() else { return windows.tell(TouchID.failedSentence) }
        if case .failure(let failure) = await ask(Command.PassphraseTouchId(publicKey: key)), !failure.isGivenUp {
            windows.tell(failure.sentence)
        }
        loadLists()
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
