import Foundation

/// The owner passphrase in Settings > Advanced (spec §11): its state, who chose it, a pending
/// reset, and the actions.
public struct PassphrasePane: Equatable, Sendable {
    public enum Action: String, Worded, Sendable {
        case choose, change, reset, turnOff

        public static let labels: [String: Wording] = [
            "choose": "Choose Passphrase…", "change": "Change…", "reset": "Forgot It…", "turnOff": "Turn Off…",
        ]
    }

    /// Its state and what that means.
    public let explanation: String
    /// None while the daemon is away.
    public let actions: [Action]
    /// When and by which program it was chosen or turned off, escaped. Nil if unknown.
    public let chosen: String?
    /// What to do if it was somebody else. Nil if the person has confirmed the choice.
    public let doubt: String?
    /// That a new one will replace it, and what to do if nobody meant that. Escaped.
    public let reset: String?
    /// What was allowed while it was off and nobody has confirmed, a line each, escaped.
    public let unconfirmed: [String]
    /// Keeping that takes the passphrase.
    public let mayKeep: Bool

    /// - Parameter shown: formats an instant in the reader's time zone and language.
    public init(_ status: DaemonStatus?, shown: (Date) -> String) {
        func when(_ instant: String) -> String { Instant.date(instant).map(shown) ?? ShownText.oneLine(instant) }
        let passphrase = status?.passphrase
        // With the secrets in a file nothing proves that this app is it. The daemon then takes a
        // first passphrase from a terminal alone.
        let isProved = status?.secrets == .keychain
        switch passphrase?.state {
        case nil:
            explanation = localized("It confirms what gives AI clients more access.")
            actions = []
        case .set:
            explanation = localized(
                "Set. It confirms what gives AI clients more access, so that no program of yours can grant itself more.")
            actions = [.turnOff, .reset, .change]
        case .off:
            explanation =
                isProved
                ? localized("Off. Any program that runs as you, your agents too, can grant itself any access.")
                : localized(
                    "Off. Any program that runs as you, your agents too, can grant itself any access, until you choose one in a terminal: `sallyport passphrase set`."
                )
            actions = isProved ? [.choose] : []
        case .some(.none):
            explanation =
                isProved
                ? localized("Not chosen. A yes in this app confirms what gives AI clients more access.")
                : localized(
                    "Not chosen. What gives AI clients more access can't be allowed until you choose one in a terminal: `sallyport passphrase set`."
                )
            actions = isProved ? [.turnOff, .choose] : [.turnOff]
        }
        chosen = passphrase?.chosen.map { chosen in
            let by = ShownText.oneLine(chosen.by)
            return passphrase?.state == .off
                ? localized("Turned off \(when(chosen.at)) by \(by).") : localized("Chosen \(when(chosen.at)) by \(by).")
        }
        unconfirmed = (passphrase?.unconfirmed ?? []).map(ShownText.oneLine)
        mayKeep = passphrase?.state == .set
        doubt =
            passphrase?.chosen?.confirmedAt != nil || passphrase?.chosen == nil
            ? nil : PassphrasePane.doubt(passphrase?.state == .off)
        reset = passphrase?.reset.map { reset in
            let (at, by, countsAt) = (when(reset.at), ShownText.oneLine(reset.by), when(reset.countsAt))
            return localized(
                "A new owner passphrase, chosen \(at) by \(by), counts from \(countsAt) on. If that was not you, choose Change… before then, which ends it."
            )
        }
    }

    private static func doubt(_ isOff: Bool) -> String {
        isOff
            ? localized("Was it you? If not, choose a passphrase, then look at what connections and tokens allow.")
            : localized("Was it you? If not, Forgot It… takes back what was allowed.")
    }

    public static var unconfirmedNote: String {
        localized(
            "Nobody has confirmed it, and any program of yours may have asked for it. Kept, it stands as if you had confirmed it. Taken back, connections are as they were before at most, and tokens are revoked."
        )
    }

    /// What turning it off means.
    public static var turnOffNote: String {
        localized("Any program that runs as you, your agents too, may then allow itself anything.")
    }

    public static var resetNote: String {
        localized(
            "At once every connection becomes Read Only at most, and tokens that may do more than read are revoked. The new passphrase counts after 24 hours. Until then the old one holds, and typing it for anything ends the reset."
        )
    }
}
