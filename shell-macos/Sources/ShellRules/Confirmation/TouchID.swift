/// Touch ID in the owner passphrase's place (spec §11): when it is asked, and who is offered it.
/// The daemon judges the signature.
public enum TouchID {
    /// Behind "Sallyport is trying to", in the system's window.
    public static var reason: String { localized("allow what its window shows") }

    public static var offer: String { localized("Use Touch ID in place of the passphrase?") }
    public static var offerText: String {
        localized(
            "This Mac then asks for your finger, or for your account’s password, where Sallyport asks for its passphrase, which goes on working."
        )
    }
    public static var failedSentence: String { localized("This Mac could not set up Touch ID; the passphrase goes on working.") }
}

extension ShellState {
    /// The passphrase is what confirms, and the daemon can tell this app from other programs.
    public var mayOfferTouchID: Bool {
        status?.secrets == .keychain && status?.passphrase.state == .set && status?.passphrase.touchId != true
    }
}

extension ControlError {
    /// What Touch ID is to sign; nil where it has no part in this.
    public var touchChallenge: String? { data?["touchId"]?.string }
}

extension ControlClient {
    /// For what a sheet of its own has asked for: again with Touch ID's signature, where the daemon
    /// wants that.
    /// - Throws: `Failure`
    public func ask<Asked: ControlCommand>(
        _ command: Asked, typed: TypedPassphrase?, touched: @Sendable (_ challenge: String) async -> String?
    ) async throws -> Asked.Answer {
        do {
            return try await ask(command, typed: typed)
        } catch Failure.refused(let error) where typed == nil {
            guard let challenge = error.touchChallenge, let signature = await touched(challenge) else {
                throw Failure.refused(error)
            }
            return try await ask(command, typed: nil, confirm: .app, touchId: signature)
        }
    }
}
