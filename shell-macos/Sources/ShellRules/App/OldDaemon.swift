/// A daemon that an update has left running: the app is of a newer version. It is restarted once
/// nobody uses it.
extension ShellState {
    var isDaemonOld: Bool {
        guard link == .connected, let theirs = status?.version else { return false }
        return ShellState.isOlder(theirs, than: version)
    }

    /// Nothing here waits for the person, or for its answer.
    public var mayRestartDaemon: Bool {
        isDaemonOld && waitingCount == 0 && pairings.current == nil && !presence.windows.contains(.prompt)
    }

    /// Told once for each connection.
    mutating func restartIfOld() -> [ShellEffect] {
        guard isDaemonOld, !waitsForIdle else { return [] }
        waitsForIdle = true
        return [.restartWhenIdle]
    }

    /// By their numbers; a version that has none is no reason to restart anything.
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
