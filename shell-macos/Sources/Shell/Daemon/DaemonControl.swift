import Foundation
import ShellRules

/// Reaches the daemon, and has it started: as the LaunchAgent in the bundle, or as the app's child
/// where that was refused.
@MainActor
final class DaemonControl {
    private let places: BundlePlaces
    private let agent: LaunchAgent
    private let environment = ProcessInfo.processInfo.environment
    private var child: Process?
    /// It was left to launchd; whether it came up is not known yet.
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

    /// The user has switched the agent off under Login Items.
    var isSwitchedOff: Bool { agent.state == .switchedOff }

    /// - Returns: what went wrong; nil where it is on its way.
    func start() async -> String? {
        (isLeftToAgent, waits) = (false, 0)
        let start = DaemonStart(
            agent: agent.state, home: environment["SALLYPORT_HOME"], isPassing: places.isPassing, isOfThisBuild: hasComeUp)
        switch start {
        case .registerAgent:
            // Refused as a login item, it runs for as long as the app does.
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

    /// Somebody answers: the agent of this build is a good one.
    func cameUp() {
        if isLeftToAgent { UserDefaults.standard.set(places.build, forKey: DaemonControl.cameUpKey) }
        isLeftToAgent = false
    }

    /// launchd is given its time.
    /// - Returns: whether it is still up to launchd afterwards.
    func waitForAgent() async -> Bool {
        guard isLeftToAgent else { return false }
        return (try? await pause(DaemonStart.secondsToComeUp(hasComeUp: hasComeUp))) != nil && isLeftToAgent
    }

    func pause(_ seconds: Double) async throws { try await agent.sleep(seconds) }

    /// It is given that time once more.
    func isOnItsWay() async -> Bool {
        waits += 1
        guard waits < DaemonStart.mostWaits else { return false }
        return await agent.isOnItsWay()
    }

    /// launchd was given its time.
    /// - Returns: what went wrong; nil where the child is on its way.
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

    /// The daemon was asked to stop already; one that could not be asked is told by a signal.
    func endChild() {
        if let child, child.isRunning { child.terminate() }
    }
}

@Sendable func sleepReally(_ seconds: Double) async throws {
    try await Task.sleep(for: .seconds(seconds))
}
