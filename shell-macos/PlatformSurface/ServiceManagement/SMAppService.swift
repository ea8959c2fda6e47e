// ServiceManagement: the LaunchAgent inside the bundle. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class SMAppService
open class SMAppService: NSObject {
    // doc: class func agent(plistName: String) -> Self
    public class func agent(plistName: String) -> Self { fatalError() }
    // doc: func register() throws
    public func register() throws { fatalError() }
    // doc: var status: SMAppService.Status { get }
    public var status: Status { fatalError() }
    // doc: class func openSystemSettingsLoginItems()
    public class func openSystemSettingsLoginItems() { fatalError() }
    // doc: enum Status
    public enum Status: Int, Sendable { case notRegistered = 0, enabled = 1, requiresApproval = 2, notFound = 3 }
}
