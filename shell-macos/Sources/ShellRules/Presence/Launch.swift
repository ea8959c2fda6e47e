/// Tells how the app was launched (spec §16).
extension Presence.Start {
    /// Goes by the links alone. AppKit's `launchIsDefaultUserInfoKey` is false for a launch by hand
    /// too if windows are restored.
    /// - Parameters:
    ///   - links: how many `sallyport:` links came with the launch.
    ///   - isAtLogin: macOS says so.
    public init(links: Int, isAtLogin: Bool = false) {
        self = links > 0 ? .byLink : isAtLogin ? .atLogin : .byHand
    }
}
