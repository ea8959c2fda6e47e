// Security: one item of the keychain, read. Declarations only.
// What Core Foundation calls its types is on a Mac bridged to Swift's own; here it is Swift's own, so that `as` between the two compiles.
// swift-format-ignore-file
@_exported import Foundation

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

// doc: var errSecSuccess: OSStatus { get }
public var errSecSuccess: OSStatus { fatalError() }
// doc: let kSecClass: CFString
public let kSecClass: CFString = { fatalError() }()
// doc: let kSecClassGenericPassword: CFString
public let kSecClassGenericPassword: CFString = { fatalError() }()
// doc: let kSecAttrService: CFString
public let kSecAttrService: CFString = { fatalError() }()
// doc: let kSecAttrAccount: CFString
public let kSecAttrAccount: CFString = { fatalError() }()
// doc: let kSecReturnData: CFString
public let kSecReturnData: CFString = { fatalError() }()
// doc: let kSecMatchLimit: CFString
public let kSecMatchLimit: CFString = { fatalError() }()
// doc: let kSecMatchLimitOne: CFString
public let kSecMatchLimitOne: CFString = { fatalError() }()
// doc: func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { fatalError() }
// doc: func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString?
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { fatalError() }
