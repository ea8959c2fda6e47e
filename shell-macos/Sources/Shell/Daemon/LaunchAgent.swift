import Foundation
import ServiceManagement
import ShellRules

/// The daemon's LaunchAgent inside the bundle, as the system's list of login items has it.
@MainActor
struct LaunchAgent {
    /// Handed in by tests, as the waiting is.
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

    /// - Returns: whether the system took it; launchd then starts the daemon.
    func register() -> Bool {
        // Apple's page has it throw where it is registered already, too: the status alone says
        // which.
        try? service.register()
        return service.status == .enabled
    }

    /// Waits until what ran of it has ended: registered before that, the old one is kept
    /// (github.com/gaixianggeng/mimi-remote/pull/25).
    func registerAnew() async -> Bool {
        // Refused, it was not registered after all.
        await withCheckedContinuation { ended in service.unregister { @Sendable _ in ended.resume() } }
        for _ in 0..<DaemonStart.mostRegistrations {
            if register() { return true }
            guard (try? await sleep(DaemonStart.secondsBetweenRegistrations)) != nil else { break }
        }
        return false
    }

    /// Registered, but ended: no framework has a call for this.
    /// - Returns: false where launchd has no such agent (113), though it is registered: somebody
    ///   has taken it out by `launchctl`.
    func start() async -> Bool { await ask("kickstart") != nil }

    /// Whether launchd is starting it, or has, and nobody answers yet.
    func isOnItsWay() async -> Bool { DaemonStart.isOnItsWay(printed: await ask("print") ?? "") }

    /// - Returns: what it prints; nil where it fails.
    private func ask(_ verb: String) async -> String? {
        let (asked, printed) = (Process(), Pipe())
        asked.executableURL = launchctl
        asked.arguments = DaemonStart.launchctl(verb, user: getuid())
        asked.standardOutput = printed
        return await withCheckedContinuation { ended in
            // Little enough for the pipe to hold all of it.
            asked.terminationHandler = {
                let text = String(decoding: printed.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                ended.resume(returning: $0.terminationStatus == 0 ? text : nil)
            }
            do {
                try asked.run()
            } catch {
                asked.terminationHandler = nil
                ended.resume(returning: nil)
            }
        }
    }

    static func openLoginItems() {
        SMAppService.openSystemSettingsLoginItems()
    }
}
