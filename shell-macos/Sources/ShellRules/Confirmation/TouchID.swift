/// Touch ID in place of the owner passphrase (spec §11): when the app asks for it, and whom it is
/// offered to. The daemon checks the signature.
public enum TouchID {
    /// macOS shows it after "Sallyport is trying to".
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
    /// The passphrase confirms requests, and the daemon can tell this app from other programs.
    public var mayOfferTouchID: Bool {
        status?.secrets == .keychain && status?.passphrase.state == .set && status?.passphrase.touchId != true
    }
}

extension ControlError {
    /// The text that Touch ID signs. Nil if it has no part in this.
    public var touchChallenge: String? { data?.touchId }
}

extension ControlClient {
    /// For a request with a sheet of its own: asks again with Touch ID's signature if the daemon
    /// wants that.
    /// - Throws: `Failure`
    public func ask<Asked: ControlCommand>(
        _ command: Asked, typed: TypedPassphrase?, touched: @Sendable (_ challenge: String) async -> String?
    ) async throws -> Asked.Answer {
        do {
            return try await ask(command, typed: typed, confirm: .app)
        } catch Failure.refused(let error) where typed == nil {
            guard let challenge = error.touchChallenge, let signature = await touched(challenge) else {
                throw Failure.refused(error)
            }
            return try await ask(command, typed: nil, confirm: .app, touchId: signature)
        }
    }
}
