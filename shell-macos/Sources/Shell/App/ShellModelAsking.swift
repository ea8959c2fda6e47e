import ShellRules

/// Asks the daemon for what a person chose in Settings or the menu, confirmed by them where it
/// widens access (spec §11).
extension ShellModel {
    typealias Outcome<Asked: ControlCommand> = Result<Asked.Answer, ControlClient.Failure>

    /// Has it confirmed, or the owner passphrase typed, where that is wanted.
    func attempt<Asked: ControlCommand>(_ command: Asked) async -> Outcome<Asked> {
        await outcome { client in
            try await client.askConfirming(
                command, confirmed: { [prompts] prompt in await prompts.confirmed(prompt) },
                passphrase: { [prompts] prompt in await prompts.passphrase(prompt) })
        }
    }

    /// With what a sheet of its own has asked for.
    func attempt<Asked: ControlCommand>(_ command: Asked, passphrase: TypedPassphrase?) async -> Outcome<Asked> {
        await outcome { client in try await client.ask(command, typed: passphrase) }
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
