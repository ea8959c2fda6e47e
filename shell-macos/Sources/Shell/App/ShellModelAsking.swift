import Foundation
import ShellRules

/// Asks the daemon for what a person chose in Settings or the menu, confirmed by them where it
/// widens access (spec §11).
extension ShellModel {
    typealias Outcome<Asked: ControlCommand> = Result<Asked.Answer, ControlClient.Failure>

    /// Has it confirmed, or the owner passphrase typed, where that is wanted.
    func attempt<Asked: ControlCommand>(_ command: Asked) async -> Outcome<Asked> {
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

    /// With what a sheet of its own has asked for.
    func attempt<Asked: ControlCommand>(_ command: Asked, passphrase: TypedPassphrase?) async -> Outcome<Asked> {
        let answer = await outcome { client in try await client.ask(command, typed: passphrase, touched: OwnerKey.sign) }
        offerTouchID(answer, after: passphrase?.text)
        return answer
    }

    /// Once, behind a passphrase that confirmed: it is what has the daemon take the key.
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

    /// - Returns: nil where it failed, which is then told, or was given up at the passphrase.
    @discardableResult
    func ask<Asked: ControlCommand>(_ command: Asked) async -> Asked.Answer? {
        switch await attempt(command) {
        case .success(let answer):
            loadLists()
            return answer
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
        } catch let failure as ControlClient.Failure {
            return .failure(failure)
        } catch {
            return .failure(.lost)
        }
    }
}
