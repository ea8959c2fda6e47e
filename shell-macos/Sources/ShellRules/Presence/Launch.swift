/// Whether a launch was the user's own (spec §16).
extension Presence.Start {
    /// By the links alone: AppKit's `launchIsDefaultUserInfoKey` says no of a launch by hand too,
    /// where windows are to be restored.
    /// - Parameters:
    ///   - links: how many `sallyport:` links came with the launch.
    ///   - isAtLogin: the system says so.
    public init(links: Int, isAtLogin: Bool = false) {
        self = links > 0 ? .byLink : isAtLogin ? .atLogin : .byHand
    }
}
