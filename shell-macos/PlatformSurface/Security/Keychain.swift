// Security: one item of the keychain, read. Declarations only.
// What Core Foundation calls its types is on a Mac bridged to Swift's own; here it is Swift's own, so that `as` between the two compiles.
// swift-format-ignore-file
@_exported import Foundation

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

// doc: var errSecSuccess: OSStatus { get }
public var errSecSuccess: OSStatus { 0 }
// doc: let kSecClass: CFString
public let kSecClass: CFString = "kSecClass"
// doc: let kSecClassGenericPassword: CFString
public let kSecClassGenericPassword: CFString = "kSecClassGenericPassword"
// doc: let kSecAttrService: CFString
public let kSecAttrService: CFString = "kSecAttrService"
// doc: let kSecAttrAccount: CFString
public let kSecAttrAccount: CFString = "kSecAttrAccount"
// doc: let kSecReturnData: CFString
public let kSecReturnData: CFString = "kSecReturnData"
// doc: let kSecMatchLimit: CFString
public let kSecMatchLimit: CFString = "kSecMatchLimit"
// doc: let kSecMatchLimitOne: CFString
public let kSecMatchLimitOne: CFString = "kSecMatchLimitOne"
// doc: func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychained.asked.append(query)
    result?.pointee = Keychained.item
    return Keychained.status
}
// doc: func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString?
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { "the status \(status)" }

/// The keychain there is, for the tests.
package enum Keychained {
    nonisolated(unsafe) package static var asked: [CFDictionary] = []
    nonisolated(unsafe) package static var item: AnyObject?
    nonisolated(unsafe) package static var status: OSStatus = -25300
}
