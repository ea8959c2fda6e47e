/// Reads the output of `launchctl print`. Apple promises no format for it, so unknown output counts
/// as no start.
extension DaemonStart {
    public static func isOnItsWay(printed: String) -> Bool {
        var said: [Substring: Substring] = [:]
        for line in printed.split(separator: "\n") {
            let parts = line.drop { $0 == "\t" || $0 == " " }.split(separator: "=", maxSplits: 1)
            // The agent's own values come first.
            if parts.count == 2, said[parts[0].dropLast()] == nil { said[parts[0].dropLast()] = parts[1].dropFirst() }
        }
        // launchd restarts an agent that has ended, or refuses it each time.
        let hasEnded = said["last terminating signal"] != nil || !["(never exited)", "0", nil].contains(said["last exit code"])
        return !hasEnded && ["running", "spawning", "spawn scheduled", "xpcproxy"].contains(said["state"])
    }
}
