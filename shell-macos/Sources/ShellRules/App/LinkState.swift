/// How the app stands to the daemon.
public enum LinkState: Equatable, Sendable {
    case connecting
    /// Nobody listens; the daemon is being started.
    case starting
    case connected
    /// A sentence.
    case untrusted(String)
    case gaveUp
    /// The person did not let the app read its secret. Only they have it asked for again: no link,
    /// no program and no clock does.
    case denied

    public var headline: String {
        switch self {
        case .connecting: localized("Looking for Sallyport")
        case .starting: localized("Starting Sallyport")
        case .connected: localized("Sallyport is running")
        case .untrusted: localized("Sallyport can’t be trusted")
        case .gaveUp: localized("Sallyport is not running")
        case .denied: localized("Sallyport may not read its secret")
        }
    }

    public var sentence: String? {
        switch self {
        case .untrusted(let sentence): sentence
        case .gaveUp: Reconnect.gaveUpSentence
        case .denied: LinkState.deniedSentence
        case .connecting, .starting, .connected: nil
        }
    }

    static var deniedSentence: String {
        localized(
            "You did not let Sallyport read its item in the keychain. To be asked again, choose Try Again, then Always Allow.")
    }

    /// What the person presses to have it tried again.
    public var startLabel: String { self == .denied ? localized("Try Again") : localized("Start Sallyport") }

    public var isTroubled: Bool { sentence != nil }
}
