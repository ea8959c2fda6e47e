import Foundation

/// Keeps a connection to the daemon: it connects, waits and connects again, within the bound of
/// `Reconnect`. Tests replace the connecting, the waiting, the clock and chance.
public struct DaemonLink: Sendable {
    public enum Event: Sendable {
        case connected(ControlClient)
        /// The connection ended.
        case lost
        /// No daemon listens, so start one. Told once in a row of tries.
        case absent
        /// A sentence. It tries again, as the user may fix the problem.
        case untrusted(String)
        /// The person did not let the app read its secret. It stops until `run` is called again, as
        /// each try would ask the person.
        case denied
        /// It stops until `run` is called again.
        case gaveUp
    }

    let connect: @Sendable () async -> Connecting
    var sleep: @Sendable (_ seconds: Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    var uptimeSeconds: @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
    /// From 0 to 1.
    var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// Runs until it gives up or its task is cancelled. It hands the notifications of each
    /// connection to `notify`.
    public func run(
        tell: @Sendable (Event) async -> Void, notify: @Sendable (ControlNotification) async -> Void
    ) async {
        var reconnect = Reconnect()
        var saidAbsent = false
        while !Task.isCancelled {
            switch await connect() {
            case .connected(let client):
                let since = uptimeSeconds()
                saidAbsent = false
                await withTaskCancellationHandler {
                    await tell(.connected(client))
                    for await notification in client.notifications { await notify(notification) }
                } onCancel: {
                    client.close()
                }
                reconnect.lost(afterSeconds: uptimeSeconds() - since)
                await tell(.lost)
            case .absent:
                if !saidAbsent { await tell(.absent) }
                saidAbsent = true
            case .denied:
                await tell(.denied)
                return
            case .untrusted(let problem):
                await tell(.untrusted(problem))
            }
            switch reconnect.failed(chance: chance()) {
            case .giveUp:
                await tell(.gaveUp)
                return
            case .waitSeconds(let seconds):
                do { try await sleep(seconds) } catch { return }
            }
        }
    }
}

extension DaemonLink {
    public init(connecting connect: @escaping @Sendable () async -> Connecting) { self.init(connect: connect) }
}
