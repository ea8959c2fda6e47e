import AppKit

/// Asks one thing in an alert of the system, for questions that belong to no window of the app. The
/// rest of the app waits meanwhile.
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
