/// An update leaves the old daemon running. The app restarts it once nobody uses it.
extension ShellState {
    var isDaemonOld: Bool {
        guard link == .connected, let theirs = status?.version else { return false }
        return ShellState.isOlder(theirs, than: version)
    }

    /// Nothing here waits for the person or for the daemon.
    public var mayRestartDaemon: Bool {
        isDaemonOld && desk.sheet == nil && !desk.asks.contains(where: \.waits) && !presence.windows.contains(.prompt)
    }

    /// Once for each connection.
    mutating func restartIfOld() -> [ShellEffect] {
        guard isDaemonOld, !waitsForIdle else { return [] }
        waitsForIdle = true
        return [.restartWhenIdle]
    }

    /// Compares the numbers. A version without numbers is no reason to restart.
    static func isOlder(_ one: String, than other: String) -> Bool {
        func numbers(_ version: String) -> [Int] {
            version.prefix { $0 == "." || $0.isNumber }.split(separator: ".").compactMap { Int($0) }
        }
        return !numbers(one).isEmpty && numbers(one).lexicographicallyPrecedes(numbers(other))
    }

    static var oldDaemonNote: String {
        localized("An older version of Sallyport still runs in the background; it is restarted once no client uses it.")
    }
}
