/// Quit asks the daemon to stop (spec §16).
public enum StoppingDaemon {
    /// Asks, then ends the link: a link that is cancelled closes the connection that the question
    /// travels on. A link that outlives the answer would find no daemon and start one.
    /// - Parameter patienceSeconds: a daemon that does not answer within them does not keep the
    ///   app.
    /// - Returns: whether the daemon said that it stops.
    @discardableResult
    public static func ask(_ client: ControlClient?, link: Task<Void, Never>?, patienceSeconds: Double = 3) async -> Bool {
        defer { link?.cancel() }
        guard let client else { return false }
        let patience = Task {
            try await Task.sleep(nanoseconds: UInt64(patienceSeconds * 1_000_000_000))
            client.close()
        }
        defer { patience.cancel() }
        return (try? await client.ask(Command.Stop())) != nil
    }
}
