import Foundation

/// Where the app was started from. macOS starts a downloaded app from a temporary copy
/// (Gatekeeper's path randomization). Anything registered or copied from that path breaks when the
/// app quits.
public enum BundlePlace {
    /// - Parameters:
    ///   - path: the path of the bundle. The copies are under
    ///     `/private/var/folders/…/AppTranslocation/…`. Apple's SDKs have no call that tells
    ///     (Apple's forum, thread 724969).
    ///   - isReadOnly: its volume is read-only, as a disk image is. An app without a quarantine
    ///     starts from the image itself, and its path is gone once the image is ejected.
    public static func isPassing(_ path: String, isReadOnly: Bool) -> Bool {
        isReadOnly || path.contains("/AppTranslocation/")
    }

    /// Whether the volume of the path is read-only. The volume of `/Applications` is not.
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
