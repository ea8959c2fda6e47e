/// How the app stands to the daemon.
public enum LinkState: Equatable, Sendable {
    case connecting
    /// Nobody listens; the daemon is being started.
    case starting
    case connected
    /// A sentence.
    case untrusted(String)
    case gaveUp

    public var headline: String {
        switch self {
        case .connecting: localized("Looking for Sallyport")
        case .starting: localized("Starting Sallyport")
        case .connected: localized("Sallyport is running")
        case .untrusted: localized("Sallyport can’t be trusted")
        case .gaveUp: localized("Sallyport is not running")
        }
    }

    public var sentence: String? {
        switch self {
        case .untrusted(let sentence): sentence
        case .gaveUp: Reconnect.gaveUpSentence
        case .connecting, .starting, .connected: nil
        }
    }

    public var isTroubled: Bool { sentence != nil }
}
