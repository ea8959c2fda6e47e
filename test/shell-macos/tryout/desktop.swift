// The desktop, as far as the tryout needs more of it than System Events gives. Needs a Mac;
// compiled once.
//   desktop windows PID    the windows that a process has on the screen, one a line: NUMBER LAYER WIDTH HEIGHT
//   desktop quit PID       asks an app to quit, as its menu does; needs no consent, which an Apple event of a script would
//   desktop click X Y      clicks with the mouse
//   desktop press PID LABEL   presses the button that has this label, and prints "pressed" where there is one
//   desktop full-screen    is an app in full screen until it is ended; prints "full" once it is there
import AppKit

func windows(of process: Int) {
    let options: CGWindowListOption = [.optionOnScreenOnly, .excludeDesktopElements]
    let listed = CGWindowListCopyWindowInfo(options, kCGNullWindowID) as? [[String: Any]] ?? []
    for window in listed where window[kCGWindowOwnerPID as String] as? Int == process {
        let bounds = window[kCGWindowBounds as String] as? [String: Double] ?? [:]
        let number = window[kCGWindowNumber as String] as? Int ?? 0
        let layer = window[kCGWindowLayer as String] as? Int ?? 0
        print(number, layer, Int(bounds["Width"] ?? 0), Int(bounds["Height"] ?? 0))
    }
}

func click(_ point: CGPoint) {
    for kind in [CGEventType.mouseMoved, .leftMouseDown, .leftMouseUp] {
        CGEvent(mouseEventSource: nil, mouseType: kind, mouseCursorPosition: point, mouseButton: .left)?.post(tap: .cghidEventTap)
        usleep(100_000)
    }
}

func attribute(_ name: String, of element: AXUIElement) -> CFTypeRef? {
    var value: CFTypeRef?
    return AXUIElementCopyAttributeValue(element, name as CFString, &value) == .success ? value : nil
}

/// As VoiceOver finds it. System Events finds nothing in a window of SwiftUI's on GitHub's Macs
/// (github.com/T0mSIlver/localvoxtral/pull/79).
func button(_ label: String, in element: AXUIElement) -> AXUIElement? {
    let isButton = attribute(kAXRoleAttribute, of: element) as? String == kAXButtonRole
    let labels = [kAXTitleAttribute, kAXDescriptionAttribute].map { attribute($0, of: element) as? String }
    if isButton, labels.contains(label), attribute(kAXEnabledAttribute, of: element) as? Bool == true { return element }
    for child in attribute(kAXChildrenAttribute, of: element) as? [AXUIElement] ?? [] {
        if let found = button(label, in: child) { return found }
    }
    return nil
}

func press(_ label: String, of process: pid_t) {
    guard AXIsProcessTrusted() else {
        FileHandle.standardError.write(Data("macOS lets this terminal press no buttons: allow it Accessibility\n".utf8))
        exit(1)
    }
    let app = AXUIElementCreateApplication(process)
    AXUIElementSetMessagingTimeout(app, 10)
    for window in attribute(kAXWindowsAttribute, of: app) as? [AXUIElement] ?? [] {
        guard let found = button(label, in: window) else { continue }
        AXUIElementPerformAction(found, kAXPressAction as CFString)
        return print("pressed")
    }
}

@MainActor
final class FullScreen: NSObject, NSApplicationDelegate, NSWindowDelegate {
    private var window: NSWindow?

    func applicationDidFinishLaunching(_ notification: Notification) {
        let window = NSWindow(
            contentRect: NSRect(x: 0, y: 0, width: 640, height: 480), styleMask: [.titled, .closable, .resizable],
            backing: .buffered, defer: false)
        self.window = window
        window.title = "An app in full screen"
        window.collectionBehavior = [.fullScreenPrimary]
        window.delegate = self
        NSApplication.shared.activate(ignoringOtherApps: true)
        window.makeKeyAndOrderFront(nil)
        window.toggleFullScreen(nil)
    }

    func windowDidEnterFullScreen(_ notification: Notification) {
        print("full")
        fflush(stdout)
    }
}

let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst().compactMap { Double($0) }
switch words.first {
case "windows": windows(of: Int(numbers.first ?? 0))
case "quit":
    guard NSRunningApplication(processIdentifier: pid_t(numbers.first ?? 0))?.terminate() == true else { exit(1) }
case "press": press(words.last ?? "", of: pid_t(numbers.first ?? 0))
case "click": click(CGPoint(x: numbers[0], y: numbers[1]))
case "full-screen":
    MainActor.assumeIsolated {
        let delegate = FullScreen()
        NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.delegate = delegate
        withExtendedLifetime(delegate) { NSApplication.shared.run() }
    }
default: exit(2)
}
