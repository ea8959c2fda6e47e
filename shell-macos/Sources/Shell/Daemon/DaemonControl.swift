import Foundation
import ShellRules

/// Connects to the daemon and starts it: as the LaunchAgent in the bundle, or as the app's child if
/// the system refuses the agent.
@MainActor
final class DaemonControl {
    private let places: BundlePlaces
    private let agent: LaunchAgent
    private let environment = ProcessInfo.processInfo.environment
    private var child: Process?
    /// True after launchd was asked to start the daemon, until the daemon answers.
    private(set) var isLeftToAgent = false
    private var waits = 0
    private var hasComeUp: Bool { UserDefaults.standard.string(forKey: DaemonControl.cameUpKey) == places.build }

    init(places: BundlePlaces = BundlePlaces(), agent: LaunchAgent = LaunchAgent()) {
        self.places = places
        self.agent = agent
    }

    var link: DaemonLink {
        let environment = environment
        return DaemonLink(connecting: {
            do throws(Locations.MisnamedHome) {
                let locations = try Locations(environment: environment)
                return await Connecting.toDaemon(of: locations, keychain: Keychain.item)
            } catch {
                return .untrusted(error.problem)
            }
        })
    }

    var brakes: Brakes {
        let environment = environment
        return Brakes { try? Locations(environment: environment) }
    }

    /// True if the user switched the agent off under Login Items.
    var isSwitchedOff: Bool { agent.state == .switchedOff }

    /// - Returns: what went wrong; nil if the daemon is starting.
    func start() async -> String? {
        (isLeftToAgent, waits) = (false, 0)
        let start = DaemonStart(
            agent: agent.state, home: environment["SALLYPORT_HOME"], isPassing: places.isPassing, isOfThisBuild: hasComeUp)
        switch start {
        case .registerAgent:
            // If the system refuses the login item, the daemon runs as long as the app.
            isLeftToAgent = agent.register()
        case .registerAgentAnew: isLeftToAgent = await agent.registerAnew()
        case .startAgent:
            isLeftToAgent = await agent.start()
            if !isLeftToAgent { isLeftToAgent = await agent.registerAnew() }
        case .child: break
        }
        return isLeftToAgent ? nil : startChild()
    }

    private static let cameUpKey = "buildWhoseAgentCameUp"

    /// The daemon answers, so the agent of this build works.
    func cameUp() {
        if isLeftToAgent { UserDefaults.standard.set(places.build, forKey: DaemonControl.cameUpKey) }
        isLeftToAgent = false
    }

    /// Gives launchd its time.
    /// - Returns: true if launchd may still bring the daemon up.
    func waitForAgent() async -> Bool {
        guard isLeftToAgent else { return false }
        return (try? await pause(DaemonStart.secondsToComeUp(hasComeUp: hasComeUp))) != nil && isLeftToAgent
    }

    func pause(_ seconds: Double) async throws { try await agent.sleep(seconds) }

    /// Gives launchd the same time once more.
    func isOnItsWay() async -> Bool {
        waits += 1
        guard waits < DaemonStart.mostWaits else { return false }
        return await agent.isOnItsWay()
    }

    /// Starts the child after launchd had its time.
    /// - Returns: what went wrong; nil if the child is starting.
    func fallBack() -> String? {
        isLeftToAgent = false
        UserDefaults.standard.removeObject(forKey: DaemonControl.cameUpKey)
        return startChild()
    }

    private func startChild() -> String? {
        if child?.isRunning == true { return nil }
        let process = Process()
        process.executableURL = places.daemon
        process.environment = DaemonStart.environment(of: environment)
        process.currentDirectoryURL = FileManager.default.homeDirectoryForCurrentUser
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            return error.localizedDescription
        }
        child = process
        return nil
    }

    /// The app has already asked the daemon to stop. A signal stops a daemon that the app could not
    /// ask.
    func endChild() {
        if let child, child.isRunning { child.terminate() }
    }
}

@Sendable func sleepReally(_ seconds: Double) async throws {
    try await Task.sleep(for: .seconds(seconds))
}
