// Security: who may read an item of the file-based keychain, and by whom a program is signed. Declarations only. Access lists are
// deprecated since macOS 10.10 and have no successor: the other keychain wants a provisioning profile, which a program without a bundle
// can't have.
// swift-format-ignore-file
import Foundation

// doc: class SecAccess
public class SecAccess: NSObject {
    package let descriptor: String
    package let trusted: [SecTrustedApplication]
    init(_ descriptor: String, _ trusted: [SecTrustedApplication]) { (self.descriptor, self.trusted) = (descriptor, trusted) }
}
// doc: func SecAccessCreate(_ descriptor: CFString, _ trustedlist: CFArray?, _ accessRef: UnsafeMutablePointer<SecAccess?>) -> OSStatus
public func SecAccessCreate(_ descriptor: CFString, _ trustedlist: CFArray?, _ accessRef: UnsafeMutablePointer<SecAccess?>) -> OSStatus {
    accessRef.pointee = (trustedlist as? [SecTrustedApplication]).map { SecAccess(descriptor as String, $0) }
    return errSecSuccess
}

// doc: class SecTrustedApplication
public class SecTrustedApplication: NSObject {
    package let path: String
    init(_ path: String) { self.path = path }
}
// doc: func SecTrustedApplicationCreateFromPath(_ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>) -> OSStatus
public func SecTrustedApplicationCreateFromPath(_ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>) -> OSStatus {
    guard let path, Signed.teams[String(cString: path)] != nil else { return -67068 }
    app.pointee = SecTrustedApplication(String(cString: path))
    return errSecSuccess
}

// doc: class SecStaticCode
public class SecStaticCode: NSObject {
    let path: String
    init(_ path: String) { self.path = path }
}
// doc: func SecStaticCodeCreateWithPath(_ path: CFURL, _ flags: SecCSFlags, _ staticCode: UnsafeMutablePointer<SecStaticCode?>) -> OSStatus
public func SecStaticCodeCreateWithPath(_ path: CFURL, _ flags: SecCSFlags, _ staticCode: UnsafeMutablePointer<SecStaticCode?>) -> OSStatus {
    guard let path = path.path, Signed.teams[path] != nil else { return -67068 }
    staticCode.pointee = SecStaticCode(path)
    return errSecSuccess
}
// doc: func SecCodeCopySigningInformation(_ code: SecStaticCode, _ flags: SecCSFlags, _ information: UnsafeMutablePointer<CFDictionary?>) -> OSStatus
public func SecCodeCopySigningInformation(_ code: SecStaticCode, _ flags: SecCSFlags, _ information: UnsafeMutablePointer<CFDictionary?>) -> OSStatus {
    // A team is among what this flag asks for, and nothing else.
    let team = flags.rawValue & kSecCSSigningInformation == 0 ? nil : Signed.team(code.path)
    information.pointee = (team.map { [kSecCodeInfoTeamIdentifier as String: $0] } ?? [:]) as NSDictionary
    return errSecSuccess
}
// doc: let kSecCodeInfoTeamIdentifier: CFString
nonisolated(unsafe) public let kSecCodeInfoTeamIdentifier: CFString = "kSecCodeInfoTeamIdentifier"
// doc: var kSecCSSigningInformation: UInt32 { get }
public var kSecCSSigningInformation: UInt32 { 1 << 1 }
// doc: struct SecCSFlags
public struct SecCSFlags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Who signed what there is, for the tests: by path, nil for a file without a team.
package enum Signed {
    nonisolated(unsafe) package static var teams: [String: String?] = [:]
    static func team(_ path: String) -> String? { teams[path] ?? nil }
}
