import AppKit

/// What the Apple event that AppKit handles right now says of a launch and of a quit.
enum SystemEvents {
    /// To be asked while `applicationDidFinishLaunching` runs (Apple, "Launch Apple Event
    /// Constants").
    static var isLaunchAtLogin: Bool {
        let event = NSAppleEventManager.shared().currentAppleEvent
        let launched = event?.paramDescriptor(forKeyword: AEKeyword(keyAEPropData))?.enumCodeValue
        return event?.eventID == AEEventID(kAEOpenApplication) && launched == OSType(keyAELaunchedAsLogInItem)
    }

    /// The user logs out, restarts or shuts down.
    static var endsSession: Bool {
        NSAppleEventManager.shared().currentAppleEvent?.attributeDescriptor(forKeyword: AEKeyword(kAEQuitReason)) != nil
    }
}
