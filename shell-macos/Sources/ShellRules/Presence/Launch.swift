/// Whether a launch was the user's own (spec §16).
extension Presence.Start {
    /// By the links alone: AppKit's `launchIsDefaultUserInfoKey` says no of a launch by hand too,
    /// where windows are to be restored.
    /// - Parameter links: how many `sallyport:` links came with the launch.
    public init(links: Int) {
        self = links == 0 ? .byHand : .byLink
    }
}
