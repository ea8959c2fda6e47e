import Foundation

/// Where the app was started from. One that was downloaded and opened where it lay is started from
/// a copy in a place that is gone with this run (Gatekeeper's path randomization): what is
/// registered or copied from there breaks.
public enum BundlePlace {
    /// - Parameters:
    ///   - path: of the bundle. Such copies lie in `/private/var/folders/…/AppTranslocation/…`; no
    ///     SDK of Apple's has a call that says so (its forum, thread 724969).
    ///   - isReadOnly: its volume takes no changes, as a disk image. Without a quarantine an app is
    ///     started right from there, and its path is gone once the image is ejected.
    public static func isPassing(_ path: String, isReadOnly: Bool) -> Bool {
        isReadOnly || path.contains("/AppTranslocation/")
    }

    /// Whether the volume that something lies on takes no changes; `/Applications` lies on one that
    /// does.
    public static func isReadOnly(_ path: String) -> Bool {
        var volume = statvfs()
        return statvfs(path, &volume) == 0 && isReadOnly(flags: UInt(volume.f_flag))
    }

    static func isReadOnly(flags: UInt) -> Bool { flags & UInt(ST_RDONLY) != 0 }

    public static var moveSentence: String {
        localized(
            "Sallyport was opened from a place that it can’t stay in. Quit it, move it to the Applications folder, and open it there."
        )
    }
}
