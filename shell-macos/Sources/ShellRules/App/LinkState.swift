/// The app's connection to the daemon.
public enum LinkState: Equatable, Sendable {
    case connecting
    /// No daemon listens, and the app is starting one.
    case starting
    case connected
    /// A sentence.
    case untrusted(String)
    case gaveUp
    /// The person did not let the app read its secret. Only the person can start another try: no
    /// link, program or timer does.
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

    /// The label of the button that tries again.
    public var startLabel: String { self == .denied ? localized("Try Again") : localized("Start Sallyport") }

    public var isTroubled: Bool { sentence != nil }

    /// Some process answers, and nothing was proved.
    public var isUnproved: Bool {
        switch self {
        case .untrusted, .denied: true
        case .connecting, .starting, .connected, .gaveUp: false
        }
    }
}
