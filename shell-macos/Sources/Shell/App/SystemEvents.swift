import AppKit

/// Reads the Apple event that AppKit handles now: whether it is a launch at login or the end of a
/// session.
enum SystemEvents {
    /// Valid only while `applicationDidFinishLaunching` runs (Apple, "Launch Apple Event
    /// Constants").
    static var isLaunchAtLogin: Bool {
        let event = NSAppleEventManager.shared().currentAppleEvent
        let launched = event?.paramDescriptor(forKeyword: AEKeyword(keyAEPropData))?.enumCodeValue
        return event?.eventID == AEEventID(kAEOpenApplication) && launched == OSType(keyAELaunchedAsLogInItem)
    }

    /// True if the user logs out, restarts or shuts down.
    static var endsSession: Bool {
        NSAppleEventManager.shared().currentAppleEvent?.attributeDescriptor(forKeyword: AEKeyword(kAEQuitReason)) != nil
    }
}
