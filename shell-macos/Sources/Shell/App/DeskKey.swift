import Carbon
import ShellRules

/// Control-Option-Command-Y brings the window of what waits, from any app: it comes without the
/// keys. While nothing waits the keys are any other app's. Carbon's call is the one that needs no
/// Accessibility rights.
@MainActor
final class DeskKey {
    private static var pressed: @MainActor () -> Void = {}
    private var key: EventHotKeyRef?
    private var isHeard = false

    func follow(_ model: ShellModel) {
        let isWanted = model.state.menu.badge != nil
        guard isWanted != (key != nil) else { return }
        if let key {
            UnregisterEventHotKey(key)
            self.key = nil
            return
        }
        DeskKey.pressed = { [weak model] in model?.send(.chose(.showDesk)) }
        if !isHeard {
            var kind = EventTypeSpec(eventClass: OSType(kEventClassKeyboard), eventKind: UInt32(kEventHotKeyPressed))
            isHeard = InstallEventHandler(GetApplicationEventTarget(), hotKeyWasPressed, 1, &kind, nil, nil) == noErr
        }
        RegisterEventHotKey(
            UInt32(kVK_ANSI_Y), UInt32(controlKey | optionKey | cmdKey), EventHotKeyID(signature: 0x5361_6C6C, id: 1),
            GetApplicationEventTarget(), 0, &key)
    }

    fileprivate static func wasPressed() { pressed() }
}

/// The event target calls it on the main thread. It is the app's one such key.
private func hotKeyWasPressed(_ call: EventHandlerCallRef?, _ event: EventRef?, _ data: UnsafeMutableRawPointer?) -> OSStatus {
    MainActor.assumeIsolated { DeskKey.wasPressed() }
    return noErr
}
