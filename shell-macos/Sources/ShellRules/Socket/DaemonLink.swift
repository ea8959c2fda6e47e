/// Keeps a connection to the daemon for as long as it is wanted: connects, waits, connects again,
/// within `Reconnect`'s bound. The outside (the dialling, the waiting, chance) is handed in.
public struct DaemonLink: Sendable {
    public enum Event: Sendable {
        case connected(ControlClient)
        /// The connection that was there is gone.
        case lost
        /// Nobody listens: the moment to start the daemon. Told once in a row of tries.
        case absent
        /// A sentence. Tried again all the same: the user may mend it.
        case untrusted(String)
        /// The person did not let the app read its secret: nothing more happens until `run` is
        /// called again, for each try would ask them.
        case denied
        /// Nothing more happens until `run` is called again.
        case gaveUp
    }

    public let connect: @Sendable () async -> Connecting
    public let sleep: @Sendable (_ seconds: Double) async throws -> Void
    public let uptimeSeconds: @Sendable () -> Double
    /// 0 to 1.
    public let chance: @Sendable () -> Double

    public init(
        connect: @escaping @Sendable () async -> Connecting, sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
        uptimeSeconds: @escaping @Sendable () -> Double, chance: @escaping @Sendable () -> Double
    ) {
        self.connect = connect
        self.sleep = sleep
        self.uptimeSeconds = uptimeSeconds
        self.chance = chance
    }

    /// Runs until it gives up or its task is cancelled. `tell` hands on the notifications of each
    /// connection, too.
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
