/// How the app gets the daemon to run (spec §16): as the LaunchAgent inside the bundle, else as the
/// app's child. Starts nothing.
public enum DaemonStart: Equatable, Sendable {
    /// Register the LaunchAgent; loading it starts it. Where that is refused: `child`.
    case registerAgent
    /// What is registered is of another build of the bundle: macOS holds the agent to the signature
    /// it was registered with, and ends the daemon of an update for ever ("Launch Constraint
    /// Violation").
    case registerAgentAnew
    /// It is registered, and has ended since.
    case startAgent
    /// The agent is not to be had: switched off by the user, or of another home.
    case child

    /// What the system says of the LaunchAgent.
    public enum Agent: Equatable, Sendable {
        case notRegistered, enabled, switchedOff, missing
    }

    /// - Parameters:
    ///   - home: as SALLYPORT_HOME names it, nil for the usual one. Of another home the agent,
    ///     which launchd starts without a word from us, would know nothing.
    ///   - isOfThisBuild: the daemon has come up before, as the agent of this very build.
    ///   - isPassing: see `BundlePlace`; the agent would be registered at a path that is gone at
    ///     the next login.
    public init(agent: Agent, home: String?, isPassing: Bool = false, isOfThisBuild: Bool = true) {
        guard home == nil, !isPassing else {
            self = .child
            return
        }
        switch agent {
        // `missing` is also what the system says of an agent that was never registered: only
        // registering tells the two apart.
        case .notRegistered, .missing: self = .registerAgent
        case .enabled: self = isOfThisBuild ? .startAgent : .registerAgentAnew
        case .switchedOff: self = .child
        }
    }

    /// In the bundle's `Contents/Library/LaunchAgents`.
    public static let agentPlist = "\(agentLabel).plist"
    /// For launchctl (`kickstart`, `print`): an agent lives in its user's login session.
    public static func launchctl(_ verb: String, user: UInt32) -> [String] { [verb, "gui/\(user)/\(agentLabel)"] }
    public static let agentLabel = "app.sallyport.sallyportd"

    /// What a child sees of the app's environment (spec §2 Launch); a client's `env` block never
    /// gets there.
    public static func environment(of app: [String: String]) -> [String: String] {
        var environment = app.filter { kept.contains($0.key) && !$0.value.isEmpty }
        environment["PATH"] = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
        return environment
    }

    private static let kept: Set<String> = ["HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "SALLYPORT_HOME"]

    public static var switchedOffNote: String {
        localized(
            "Sallyport is switched off under System Settings > General > Login Items, so its daemon ends when the app does.")
    }

    /// How long launchd is given before it is asked what it does: the first start of a new binary
    /// waits for scans of the system's.
    public static func secondsToComeUp(hasComeUp: Bool) -> Double { hasComeUp ? 10 : 40 }
    /// For whether a daemon from before an update is in use still.
    public static let secondsBetweenLooks = 30.0
    /// As often it is given that time once more, where it says that the daemon is on its way.
    public static let mostWaits = 3

    /// Right behind the old one's end macOS may still refuse the new one for a moment (Apple's
    /// forum, thread 768592; github.com/mozilla-mobile/mozilla-vpn-client/pull/10523).
    public static let mostRegistrations = 10
    public static let secondsBetweenRegistrations = 0.5

    public static var fellBackSentence: String {
        localized("macOS did not start Sallyport’s daemon, so it runs for as long as the app does.")
    }

    public static var slowNote: String {
        localized("macOS may still be checking Sallyport, which can take a minute after it was installed.")
    }

    public static func failedSentence(_ why: String) -> String {
        localized("Sallyport's daemon could not be started: \(why)")
    }
}
