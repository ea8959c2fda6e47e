// Foundation and CoreServices: the Apple event that is being handled. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

public typealias FourCharCode = UInt32
public typealias OSType = FourCharCode
public typealias AEKeyword = FourCharCode
public typealias AEEventID = FourCharCode

// doc: class NSAppleEventManager
open class NSAppleEventManager: NSObject {
    // doc: class func shared() -> NSAppleEventManager
    public class func shared() -> NSAppleEventManager { one }
    nonisolated(unsafe) package static let one = NSAppleEventManager()
    package var handled: NSAppleEventDescriptor?
    // doc: var currentAppleEvent: NSAppleEventDescriptor? { get }
    public var currentAppleEvent: NSAppleEventDescriptor? { handled }
}

// doc: class NSAppleEventDescriptor
open class NSAppleEventDescriptor: NSObject {
    package var code: UInt32 = 0
    package var parts: [UInt32: NSAppleEventDescriptor] = [:]
    // doc: var eventID: AEEventID { get }
    public var eventID: AEEventID { code }
    // doc: var enumCodeValue: OSType { get }
    public var enumCodeValue: OSType { code }
    // doc: func paramDescriptor(forKeyword keyword: AEKeyword) -> NSAppleEventDescriptor?
    public func paramDescriptor(forKeyword keyword: AEKeyword) -> NSAppleEventDescriptor? { parts[keyword] }
    // doc: func attributeDescriptor(forKeyword keyword: AEKeyword) -> NSAppleEventDescriptor?
    public func attributeDescriptor(forKeyword keyword: AEKeyword) -> NSAppleEventDescriptor? { parts[keyword] }
}

// Constants of C headers (AppleEvents.h, AERegistry.h): which number type Swift gives each, the app asks nobody and converts.
// sdk: var kAEOpenApplication: Int { get }
public var kAEOpenApplication: Int { 0x6f617070 }
// sdk: var keyAEPropData: Int { get }
public var keyAEPropData: Int { 0x70726474 }
// sdk: var keyAELaunchedAsLogInItem: Int { get }
public var keyAELaunchedAsLogInItem: Int { 0x6c676974 }
// sdk: var kAEQuitReason: Int { get }
public var kAEQuitReason: Int { 0x7768793f }
