import Foundation

/// Touch ID in place of the owner passphrase (spec §11): when the app asks for it, and whom it is
/// offered to. The daemon checks the signature.
public enum TouchID {
    /// What is to be signed.
    public struct Asked: Equatable, Sendable {
        public let challenge: String
        /// macOS shows it after "Sallyport is trying to". It has the daemon's sentence, which names
        /// client, class and connection.
        public let reason: String

        init(challenge: String, sentence: String) {
            self.challenge = challenge
            reason = localized("allow what its window shows: \(sentence)")
        }
    }

    public static var offer: String { localized("Use Touch ID in place of the passphrase?") }
    public static var offerText: String {
        localized(
            "This Mac then asks for your finger, or for your account’s password, where Sallyport asks for its passphrase, which goes on working."
        )
    }
    public static var failedSentence: String { localized("This Mac could not set up Touch ID; the passphrase goes on working.") }

    /// Not Now lasts a week.
    /// - Parameter declined: when it was pressed last.
    public static func mayBeOffered(declined: Date?, now: Date) -> Bool {
        guard let declined else { return true }
        // A clock that was set back doesn't silence it for longer.
        return declined > now || now.timeIntervalSince(declined) >= 7 * 24 * 3600
    }

    /// In Settings, below its name.
    public static func state(isOn: Bool, canBeMade: Bool) -> String {
        if isOn { return localized("On. Your finger, or your account’s password, confirms in place of the passphrase.") }
        return canBeMade
            ? localized("Off. The passphrase confirms.")
            : localized("Not on this Mac: it has no Secure Enclave, or your account has no password.")
    }
}

extension DaemonStatus {
    /// The passphrase confirms requests, and the daemon can tell this app from other programs.
    public var mayUseTouchID: Bool { secrets == .keychain && passphrase.state == .set }
}

extension ControlError {
    /// What Touch ID signs. Nil if it has no part in this.
    public var touch: TouchID.Asked? { data?.touchId.map { TouchID.Asked(challenge: $0, sentence: shownSentence) } }
}

extension ControlClient {
    /// For a request with a sheet of its own: asks again with Touch ID's signature if the daemon
    /// wants that.
    /// - Throws: `Failure`
    public func ask<Asked: ControlCommand>(
        _ command: Asked, typed: String?, touched: @Sendable (TouchID.Asked) async -> String?
    ) async throws -> Asked.Answer {
        do {
            return try await ask(command, passphrase: typed, confirm: .app)
        } catch Failure.refused(let error) where typed == nil {
            guard let touch = error.touch, let signature = await touched(touch) else { throw Failure.refused(error) }
            return try await ask(command, confirm: .app, touchId: signature)
        }
    }
}
