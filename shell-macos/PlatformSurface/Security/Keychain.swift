// Security: one item of the keychain, read, and made with an access list. Declarations only.
// What Core Foundation calls its types, Swift bridges by `as`, and by nothing less: so are those of Foundation here, in their place.
// swift-format-ignore-file
@_exported import Foundation

public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFArray = NSArray
public typealias CFURL = NSURL
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

// doc: var errSecSuccess: OSStatus { get }
public var errSecSuccess: OSStatus { 0 }
// doc: var errSecUserCanceled: OSStatus { get }
public var errSecUserCanceled: OSStatus { -128 }
// doc: var errSecAuthFailed: OSStatus { get }
public var errSecAuthFailed: OSStatus { -25293 }
// doc: let kSecClass: CFString
nonisolated(unsafe) public let kSecClass: CFString = "kSecClass"
// doc: let kSecClassGenericPassword: CFString
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "kSecClassGenericPassword"
// doc: let kSecAttrService: CFString
nonisolated(unsafe) public let kSecAttrService: CFString = "kSecAttrService"
// doc: let kSecAttrAccount: CFString
nonisolated(unsafe) public let kSecAttrAccount: CFString = "kSecAttrAccount"
// doc: let kSecAttrLabel: CFString
nonisolated(unsafe) public let kSecAttrLabel: CFString = "kSecAttrLabel"
// doc: let kSecAttrAccess: CFString
nonisolated(unsafe) public let kSecAttrAccess: CFString = "kSecAttrAccess"
// doc: let kSecValueData: CFString
nonisolated(unsafe) public let kSecValueData: CFString = "kSecValueData"
// doc: let kSecReturnData: CFString
nonisolated(unsafe) public let kSecReturnData: CFString = "kSecReturnData"
// doc: let kSecMatchLimit: CFString
nonisolated(unsafe) public let kSecMatchLimit: CFString = "kSecMatchLimit"
// doc: let kSecMatchLimitOne: CFString
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "kSecMatchLimitOne"
// doc: func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychained.asked.append(query)
    result?.pointee = Keychained.item
    return Keychained.status
}
// doc: func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychained.added.append(attributes)
    return Keychained.status
}
// doc: func SecItemDelete(_ query: CFDictionary) -> OSStatus
@discardableResult public func SecItemDelete(_ query: CFDictionary) -> OSStatus { errSecSuccess }
// doc: func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString?
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { "the status \(status)" as NSString }

/// The keychain there is, for the tests.
package enum Keychained {
    nonisolated(unsafe) package static var asked: [CFDictionary] = []
    nonisolated(unsafe) package static var added: [CFDictionary] = []
    nonisolated(unsafe) package static var item: AnyObject?
    nonisolated(unsafe) package static var status: OSStatus = -25300
}
