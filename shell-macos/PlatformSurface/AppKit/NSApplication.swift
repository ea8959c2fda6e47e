// AppKit: the application object. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: @MainActor class NSResponder
@MainActor open class NSResponder: NSObject {
    // hidden: on its page it is of the main actor; NSObject's of Linux is not, and an override has to be as that is
    nonisolated public override init() { super.init() }
}

// doc: @MainActor class NSApplication
@MainActor open class NSApplication: NSResponder {
    package static let one = NSApplication()
    /// What was asked of it, for the tests.
    package var done: [String] = []
    private var policy = ActivationPolicy.prohibited
    // doc: @MainActor class var shared: NSApplication { get }
    public class var shared: NSApplication { one }
    // doc: @MainActor func setActivationPolicy(_ activationPolicy: NSApplication.ActivationPolicy) -> Bool
    // hidden: what comes from Objective-C is discardable
    @discardableResult public func setActivationPolicy(_ activationPolicy: NSApplication.ActivationPolicy) -> Bool {
        policy = activationPolicy
        return true
    }
    // doc: @MainActor func activationPolicy() -> NSApplication.ActivationPolicy
    @discardableResult public func activationPolicy() -> NSApplication.ActivationPolicy { policy }
    // doc: @MainActor func activate(ignoringOtherApps ignoreOtherApps: Bool)
    public func activate(ignoringOtherApps ignoreOtherApps: Bool) { done.append("activate") }
    // doc: @MainActor func hide(_ sender: Any?)
    public func hide(_ sender: Any?) { done.append("hide") }
    // doc: @MainActor func unhide(_ sender: Any?)
    public func unhide(_ sender: Any?) { done.append("unhide") }
    // doc: @MainActor func terminate(_ sender: Any?)
    public func terminate(_ sender: Any?) { done.append("terminate") }
    // doc: @MainActor func reply(toApplicationShouldTerminate shouldTerminate: Bool)
    public func reply(toApplicationShouldTerminate shouldTerminate: Bool) { done.append("reply \(shouldTerminate)") }
    // doc: @MainActor func requestUserAttention(_ requestType: NSApplication.RequestUserAttentionType) -> Int
    @discardableResult public func requestUserAttention(_ requestType: NSApplication.RequestUserAttentionType) -> Int {
        done.append("attention")
        return 0
    }

    // doc: enum ActivationPolicy
    public enum ActivationPolicy: Int, Sendable { case regular = 0, accessory = 1, prohibited = 2 }
    // doc: enum TerminateReply
    public enum TerminateReply: UInt, Sendable { case terminateCancel = 0, terminateNow = 1, terminateLater = 2 }
    // doc: enum RequestUserAttentionType
    public enum RequestUserAttentionType: UInt, Sendable { case criticalRequest = 0, informationalRequest = 10 }
}

// doc: protocol NSApplicationDelegate : NSObjectProtocol
// Its methods are optional on macOS; here they are required and have no default, so that a misspelt one does not compile.
public protocol NSApplicationDelegate: NSObjectProtocol {
    // doc: @MainActor optional func applicationWillFinishLaunching(_ notification: Notification)
    @MainActor func applicationWillFinishLaunching(_ notification: Notification)
    // doc: @MainActor optional func applicationDidFinishLaunching(_ notification: Notification)
    @MainActor func applicationDidFinishLaunching(_ notification: Notification)
    // doc: @MainActor optional func application(_ application: NSApplication, open urls: [URL])
    @MainActor func application(_ application: NSApplication, open urls: [URL])
    // doc: @MainActor optional func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows: Bool) -> Bool
    @MainActor func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows: Bool) -> Bool
    // doc: @MainActor optional func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply
    @MainActor func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply
    // doc: @MainActor optional func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool
    @MainActor func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool
}
