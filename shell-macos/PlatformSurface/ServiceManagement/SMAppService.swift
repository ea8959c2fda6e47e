// ServiceManagement: the LaunchAgent inside the bundle. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class SMAppService
open class SMAppService: NSObject {
    // doc: class func agent(plistName: String) -> Self
    public class func agent(plistName: String) -> Self {
        named.append(plistName)
        return unsafeDowncast(SMAppService(), to: self)
    }
    nonisolated(unsafe) package static var named: [String] = []
    nonisolated(unsafe) package static var now = Status.notRegistered
    nonisolated(unsafe) package static var done: [String] = []
    /// How many registrations to come are refused.
    nonisolated(unsafe) package static var refusals = 0
    // doc: func register() throws
    public func register() throws {
        SMAppService.done.append("register")
        if SMAppService.now == .enabled { throw CocoaError(.fileWriteFileExists) }
        guard SMAppService.refusals == 0 else {
            SMAppService.refusals -= 1
            throw CocoaError(.featureUnsupported)
        }
        SMAppService.now = .enabled
    }
    // doc: func unregister(completionHandler handler: @escaping @Sendable ((any Error)?) -> Void)
    public func unregister(completionHandler handler: @escaping @Sendable ((any Error)?) -> Void) {
        SMAppService.done.append("unregister")
        SMAppService.now = .notRegistered
        handler(nil)
    }
    // doc: var status: SMAppService.Status { get }
    public var status: Status { SMAppService.now }
    // doc: class func openSystemSettingsLoginItems()
    public class func openSystemSettingsLoginItems() { done.append("open login items") }
    // doc: enum Status
    public enum Status: Int, Sendable { case notRegistered = 0, enabled = 1, requiresApproval = 2, notFound = 3 }
}
