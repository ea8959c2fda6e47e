/// Reads what `launchctl print` says of the agent. Its form is no promise of Apple's: what is not
/// understood is no start.
extension DaemonStart {
    public static func isOnItsWay(printed: String) -> Bool {
        var said: [Substring: Substring] = [:]
        for line in printed.split(separator: "\n") {
            let parts = line.drop { $0 == "\t" || $0 == " " }.split(separator: "=", maxSplits: 1)
            // What the agent itself is stands above what belongs to it.
            if parts.count == 2, said[parts[0].dropLast()] == nil { said[parts[0].dropLast()] = parts[1].dropFirst() }
        }
        // What has ended before is started again and again, or refused each time.
        let hasEnded = said["last terminating signal"] != nil || !["(never exited)", "0", nil].contains(said["last exit code"])
        return !hasEnded && ["running", "spawning", "spawn scheduled", "xpcproxy"].contains(said["state"])
    }
}
