// CryptoKit: a signing key of the Secure Enclave. Declarations only; the stand-in signs nothing.
// swift-format-ignore-file
@_exported import Foundation
import LocalAuthentication
import Security

// doc: enum SecureEnclave
public enum SecureEnclave {
    // doc: static var isAvailable: Bool { get }
    public static var isAvailable: Bool { isThere }
    nonisolated(unsafe) package static var isThere = false
    /// Whether its owner lets it sign, and what they were told.
    nonisolated(unsafe) package static var isTouched = true
    nonisolated(unsafe) package static var reasons: [String] = []
    nonisolated(unsafe) package static var made: [SecAccessControl] = []

    // doc: enum P256
    public enum P256 {
        // doc: enum Signing
        public enum Signing {
            // doc: struct PrivateKey
            public struct PrivateKey: Sendable {
                // doc: let dataRepresentation: Data
                public let dataRepresentation: Data
                private let reason: String?
                // doc: init(compactRepresentable: Bool = true, accessControl: SecAccessControl = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, [], nil)!, authenticationContext: LAContext? = nil) throws
                public init(compactRepresentable: Bool = true, accessControl: SecAccessControl = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, [], nil)!, authenticationContext: LAContext? = nil) throws {
                    SecureEnclave.made.append(accessControl)
                    (dataRepresentation, reason) = (Data("the enclave's own".utf8), authenticationContext?.localizedReason)
                }
                // doc: init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    guard dataRepresentation == Data("the enclave's own".utf8) else { throw CocoaError(.coderReadCorrupt) }
                    (self.dataRepresentation, reason) = (dataRepresentation, authenticationContext?.localizedReason)
                }
                // doc: var publicKey: P256.Signing.PublicKey { get }
                public var publicKey: CryptoKit.P256.Signing.PublicKey { CryptoKit.P256.Signing.PublicKey() }
                // doc: func signature<D>(for data: D) throws -> P256.Signing.ECDSASignature where D : DataProtocol
                public func signature<D>(for data: D) throws -> CryptoKit.P256.Signing.ECDSASignature where D: DataProtocol {
                    SecureEnclave.reasons.append(reason ?? "")
                    guard SecureEnclave.isTouched else { throw CocoaError(.userCancelled) }
                    return CryptoKit.P256.Signing.ECDSASignature(signed: Data(data))
                }
            }
        }
    }
}

// doc: enum P256
public enum P256 {
    // doc: enum Signing
    public enum Signing {
        // doc: struct PublicKey
        public struct PublicKey: Sendable {
            // doc: var derRepresentation: Data { get }
            public var derRepresentation: Data { Data("its public half".utf8) }
        }
        // doc: struct ECDSASignature
        public struct ECDSASignature: Sendable {
            // doc: var derRepresentation: Data { get }
            public var derRepresentation: Data { signed }
            let signed: Data
        }
    }
}
