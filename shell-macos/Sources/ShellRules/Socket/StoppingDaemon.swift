/// Quit asks the daemon to stop (spec §16).
public enum StoppingDaemon {
    /// Asks, then ends the link. A cancelled link closes the connection that carries the request. A
    /// link that outlives the answer would start a new daemon.
    /// - Parameter patienceSeconds: how long the app waits for the answer before it quits.
    /// - Returns: whether the daemon said that it will stop.
    @discardableResult
    public static func ask(_ client: ControlClient?, link: Task<Void, Never>?, patienceSeconds: Double = 3) async -> Bool {
        defer { link?.cancel() }
        return await answer(client, patienceSeconds) { try await $0.ask(Command.Stop()) } != nil
    }

    /// Whether AI clients are connected. They would lose their databases.
    public static func isUsed(_ client: ControlClient?, patienceSeconds: Double = 3) async -> Bool {
        await answer(client, patienceSeconds) { try await $0.ask(Command.ClientsList()) }?.clients.isEmpty == false
    }

    private static func answer<Answer: Sendable>(
        _ client: ControlClient?, _ patienceSeconds: Double, _ ask: @Sendable (ControlClient) async throws -> Answer
    ) async -> Answer? {
        guard let client else { return nil }
        let patience = Task {
            try await Task.sleep(nanoseconds: UInt64(patienceSeconds * 1_000_000_000))
            client.close()
        }
        defer { patience.cancel() }
        return try? await ask(client)
    }
}
