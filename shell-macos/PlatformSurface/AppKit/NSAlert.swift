// AppKit: a modal question of the system's look. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: @MainActor class NSAlert
@MainActor open class NSAlert: NSObject {
    /// What was shown, title and text and buttons; and which button is pressed, from 0.
    package static var shown: [[String]] = []
    package static var pressed = 0
    private var buttons: [String] = []
    // doc: @MainActor var messageText: String { get set }
    public var messageText: String = ""
    // doc: @MainActor var informativeText: String { get set }
    public var informativeText: String = ""
    // doc: @MainActor func addButton(withTitle title: String) -> NSButton
    @discardableResult public func addButton(withTitle title: String) -> NSButton {
        buttons.append(title)
        return NSButton(frame: .zero)
    }
    // doc: @MainActor func runModal() -> NSApplication.ModalResponse
    @discardableResult public func runModal() -> NSApplication.ModalResponse {
        NSAlert.shown.append([messageText, informativeText] + buttons)
        return NSApplication.ModalResponse(rawValue: 1000 + NSAlert.pressed)
    }
}

extension NSApplication.ModalResponse {
    // doc: static let alertFirstButtonReturn: NSApplication.ModalResponse
    public static var alertFirstButtonReturn: NSApplication.ModalResponse { NSApplication.ModalResponse(rawValue: 1000) }
}
