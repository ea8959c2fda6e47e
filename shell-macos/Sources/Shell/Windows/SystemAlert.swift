import AppKit

/// Asks one thing in a window of the system's look. For what stands in no window of ours; nothing
/// else of the app happens meanwhile.
@MainActor
enum SystemAlert {
    static func isMeant(_ title: String, _ text: String, yes: String, no: String) -> Bool {
        Activation.bring(nil)
        let alert = NSAlert()
        alert.messageText = title
        alert.informativeText = text
        alert.addButton(withTitle: yes)
        alert.addButton(withTitle: no)
        return alert.runModal() == .alertFirstButtonReturn
    }
}
