/// Where the app was started from. One that was downloaded and opened where it lay is started from a copy in a place that is gone with this
/// run (Gatekeeper's path randomization): what is registered or copied from there breaks.
public enum BundlePlace {
    /// - Parameter path: of the bundle. Such copies lie in `/private/var/folders/…/AppTranslocation/…`; Apple has no call that says so in
    ///   any SDK, and shipping apps read the path (github.com/vChewing, Mac Mouse Fix).
    public static func isPassing(_ path: String) -> Bool {
        path.contains("/AppTranslocation/")
    }

    public static var moveSentence: String {
        localized(
            "Sallyport was opened from a place that it can’t stay in. Quit it, move it to the Applications folder, and open it there."
        )
    }
}
