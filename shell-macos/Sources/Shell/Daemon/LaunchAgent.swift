import Foundation
import ServiceManagement
import ShellRules

/// The daemon's LaunchAgent inside the bundle, as the system's list of login items has it.
@MainActor
struct LaunchAgent {
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
        do {
            try service.register()
        } catch {
            return false
        }
        return service.status == .enabled
    }

    /// Waits until what ran of it has ended: registered before that, the old one is kept (github.com/gaixianggeng/mimi-remote/pull/25).
    func registerAnew() async -> Bool {
        // Refused, it was not registered after all.
        await withCheckedContinuation { ended in service.unregister { _ in ended.resume() } }
        return register()
    }

    /// Registered, but ended: no framework has a call for this.
    func start() async -> Bool {
        let launchctl = Process()
        launchctl.executableURL = URL(fileURLWithPath: "/bin/launchctl")
        launchctl.arguments = DaemonStart.kickstart(user: getuid())
        return await withCheckedContinuation { ended in
            launchctl.terminationHandler = { ended.resume(returning: $0.terminationStatus == 0) }
            do {
                try launchctl.run()
            } catch {
                launchctl.terminationHandler = nil
                ended.resume(returning: false)
            }
        }
    }

    static func openLoginItems() {
        SMAppService.openSystemSettingsLoginItems()
    }
}
