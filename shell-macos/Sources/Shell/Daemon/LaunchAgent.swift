import Foundation
import ServiceManagement
import ShellRules

/// The daemon's LaunchAgent inside the bundle, as the system's list of login items has it.
@MainActor
struct LaunchAgent {
    /// Tests replace this and the waiting.
    var launchctl = URL(fileURLWithPath: "/bin/launchctl")
    var sleep = sleepReally
    private let service = SMAppService.agent(plistName: DaemonStart.agentPlist)

    var state: DaemonStart.Agent {
        switch service.status {
        case .notRegistered: .notRegistered
        case .enabled: .enabled
        case .requiresApproval: .switchedOff
        case .notFound: .missing
        @unknown default: .missing
        }
    }

    /// - Returns: true if the system accepts the agent; launchd then starts the daemon.
    func register() -> Bool {
        // By Apple's page this also throws if the agent is already registered. The status alone
        // tells the two apart.
        try? service.register()
        return service.status == .enabled
    }

    /// Waits until the old agent has ended. Otherwise the system keeps the old one
    /// (github.com/gaixianggeng/mimi-remote/pull/25).
    func registerAnew() async -> Bool {
        // An error here means that the agent was not registered.
        await withCheckedContinuation { ended in service.unregister { @Sendable _ in ended.resume() } }
        for _ in 0..<DaemonStart.mostRegistrations {
            if register() { return true }
            guard (try? await sleep(DaemonStart.secondsBetweenRegistrations)) != nil else { break }
        }
        return false
    }

    /// Starts a registered agent that has ended. No framework has a call for this.
    /// - Returns: false if launchd has no such agent (113), although it is registered: somebody
    ///   removed it with `launchctl`.
    func start() async -> Bool { await ask("kickstart") != nil }

    /// True if launchd starts the agent or has started it, and nobody answers yet.
    func isOnItsWay() async -> Bool { DaemonStart.isOnItsWay(printed: await ask("print") ?? "") }

    /// - Returns: the output; nil if launchctl fails.
    private func ask(_ verb: String) async -> String? {
        let program = TerminalProgram(launchctl, environment: ProcessInfo.processInfo.environment)
        let ran = await program.run(DaemonStart.launchctl(verb, user: getuid()))
        return ran.isDone ? ran.output : nil
    }

    static func openLoginItems() {
        SMAppService.openSystemSettingsLoginItems()
    }
}
