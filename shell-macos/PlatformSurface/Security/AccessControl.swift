// Security: what a key of the Secure Enclave asks of its owner before it is used. Declarations only.
// swift-format-ignore-file
import Foundation

public typealias CFAllocator = NSObject
public typealias CFError = NSError

// doc: class SecAccessControl
public class SecAccessControl: NSObject {
    package let flags: SecAccessControlCreateFlags
    init(_ flags: SecAccessControlCreateFlags) { self.flags = flags }
}
// doc: struct SecAccessControlCreateFlags
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // doc: static var userPresence: SecAccessControlCreateFlags { get }
    public static var userPresence: SecAccessControlCreateFlags { SecAccessControlCreateFlags(rawValue: 1) }
    // doc: static var privateKeyUsage: SecAccessControlCreateFlags { get }
    public static var privateKeyUsage: SecAccessControlCreateFlags { SecAccessControlCreateFlags(rawValue: 1 << 30) }
}
// doc: let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "kSecAttrAccessibleWhenUnlockedThisDeviceOnly"
// doc: let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly"
// doc: func SecAccessControlCreateWithFlags(_ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> SecAccessControl?
public func SecAccessControlCreateWithFlags(_ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> SecAccessControl? {
    SecAccessControl(flags)
}
