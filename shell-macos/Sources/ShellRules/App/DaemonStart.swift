/// How the app starts the daemon (spec §16): as the LaunchAgent of the bundle, or else as its child
/// process. It starts nothing itself.
public enum DaemonStart: Equatable, Sendable {
    /// Registers the LaunchAgent, which starts it. If macOS refuses: `child`.
    case registerAgent
    /// Another build of the bundle is registered. macOS holds the agent to the signature that it
    /// was registered with, and kills an updated daemon each time ("Launch Constraint Violation").
    case registerAgentAnew
    /// The agent is registered, and has ended.
    case startAgent
    /// The agent is unavailable: the user has switched it off, or SALLYPORT_HOME is set.
    case child

    /// The state of the LaunchAgent, as macOS tells it.
    public enum Agent: Equatable, Sendable {
        case notRegistered, enabled, switchedOff, missing
    }

    /// - Parameters:
    ///   - home: SALLYPORT_HOME, or nil for the usual home. launchd starts the agent without our
    ///     environment, so the agent can't use another home.
    ///   - isOfThisBuild: the agent of this build has run before.
    ///   - isPassing: see `BundlePlace`. The agent's path would be gone at the next login.
    public init(agent: Agent, home: String?, isPassing: Bool = false, isOfThisBuild: Bool = true) {
        guard home == nil, !isPassing else {
            self = .child
            return
        }
        switch agent {
        // macOS also says `missing` of an agent that was never registered. Only registering tells
        // the two apart.
        case .notRegistered, .missing: self = .registerAgent
        case .enabled: self = isOfThisBuild ? .startAgent : .registerAgentAnew
        case .switchedOff: self = .child
        }
    }

    /// In the bundle's `Contents/Library/LaunchAgents`.
    public static let agentPlist = "\(agentLabel).plist"
    /// For launchctl (`kickstart`, `print`). An agent belongs to its user's login session.
    public static func launchctl(_ verb: String, user: UInt32) -> [String] { [verb, "gui/\(user)/\(agentLabel)"] }
    public static let agentLabel = "app.sallyport.sallyportd"

    /// The environment of the child (spec §2 Launch). A client's `env` block never gets there.
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

    /// How long the app waits before it asks launchd. The first start of a new binary waits for
    /// scans by macOS.
    public static func secondsToComeUp(hasComeUp: Bool) -> Double { hasComeUp ? 10 : 40 }
    /// How often the app checks whether an old daemon is still in use.
    public static let secondsBetweenLooks = 30.0
    /// How often the app waits once more while launchd says that the daemon is starting.
    public static let mostWaits = 3

    /// Right after the old daemon ends, macOS may refuse the new one for a moment (Apple's forum,
    /// thread 768592; github.com/mozilla-mobile/mozilla-vpn-client/pull/10523).
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
