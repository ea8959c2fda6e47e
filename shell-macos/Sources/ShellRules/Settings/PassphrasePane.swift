import Foundation

/// The owner passphrase in Settings > Advanced (spec §11): what holds, who chose it, a reset that
/// waits, and what can be done about it.
public struct PassphrasePane: Equatable, Sendable {
    public enum Action: String, Worded, Sendable {
        case choose, change, reset, turnOff

        public static let labels: [String: Wording] = [
            "choose": "Choose Passphrase…", "change": "Change…", "reset": "Forgot It…", "turnOff": "Turn Off…",
        ]
    }

    /// Its state and what follows from it.
    public let explanation: String
    /// None while the daemon is away.
    public let actions: [Action]
    /// When it was chosen or turned off, and by which program, escaped; nil where that is not
    /// known.
    public let chosen: String?
    /// What to do where it was somebody else; nil where the person has said that it was them.
    public let doubt: String?
    /// That another takes its place, and what to do where nobody meant it; escaped.
    public let reset: String?

    /// - Parameter shown: an instant in the reader's own time and language.
    public init(_ status: DaemonStatus?, shown: (Date) -> String) {
        func when(_ instant: String) -> String { Instant.date(instant).map(shown) ?? ShownText.oneLine(instant) }
        let passphrase = status?.passphrase
        switch passphrase?.state {
        case nil:
            explanation = localized("It confirms what gives AI clients more access.")
            actions = []
        case .set:
            explanation = localized(
                "Set. It confirms what gives AI clients more access, so that no program of yours can grant itself more.")
            actions = [.turnOff, .reset, .change]
        case .off:
            explanation = localized("Off. Any program that runs as you, your agents too, may allow itself anything.")
            actions = [.choose]
        case .some(.none):
            // Where the secrets are in the keychain, a yes in this app confirms too.
            explanation =
                status?.secrets == .keychain
                ? localized("Not chosen. A yes in this app confirms what gives AI clients more access.")
                : localized("Not chosen. Nothing that gives AI clients more access can be allowed until you choose one.")
            actions = [.turnOff, .choose]
        }
        chosen = passphrase?.chosen.map { chosen in
            let by = ShownText.oneLine(chosen.by)
            return passphrase?.state == .off
                ? localized("Turned off \(when(chosen.at)) by \(by).") : localized("Chosen \(when(chosen.at)) by \(by).")
        }
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

    /// What turning it off is, spelled out.
    public static var turnOffNote: String {
        localized("Any program that runs as you, your agents too, may then allow itself anything.")
    }

    public static var resetNote: String {
        localized(
            "At once every connection becomes Read Only at most, and tokens that may do more than read are revoked. The new passphrase counts after 24 hours. Until then the old one holds, and typing it for anything ends the reset."
        )
    }
}
