/// Whether a launch was the user’s own (spec §16).
extension Presence.Start {
    /// - Parameters:
    ///   - links: how many `sallyport:` links came with the launch.
    ///   - isDefaultLaunch: as AppKit says; false where something was to be opened. Nil where it says nothing.
    public init(links: Int, isDefaultLaunch: Bool?) {
        self = links == 0 && isDefaultLaunch != false ? .byHand : .byLink
    }
}
