// LocalAuthentication: whether this Mac can authenticate its owner, and what it says it is for. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

// doc: class LAContext
open class LAContext: NSObject {
    nonisolated(unsafe) package static var canAuthenticate = false
    // doc: var localizedReason: String { get set }
    public var localizedReason: String = ""
    // doc: func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
    public func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { LAContext.canAuthenticate }
}

// doc: enum LAPolicy
public enum LAPolicy: Int, Sendable { case deviceOwnerAuthenticationWithBiometrics = 1, deviceOwnerAuthentication = 2 }
