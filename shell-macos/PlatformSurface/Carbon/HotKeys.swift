// Carbon: a key that this app hears whichever app is active. Declarations only; HIToolbox' CarbonEvents.h and Events.h.
// swift-format-ignore-file
@_exported import Foundation

public typealias OSStatus = Int32
public typealias OSType = UInt32
public typealias OptionBits = UInt32
public typealias EventRef = OpaquePointer
public typealias EventHandlerCallRef = OpaquePointer
public typealias EventHandlerRef = OpaquePointer
public typealias EventTargetRef = OpaquePointer
public typealias EventHotKeyRef = OpaquePointer
public typealias EventHandlerUPP = @convention(c) (EventHandlerCallRef?, EventRef?, UnsafeMutableRawPointer?) -> OSStatus

/// What was registered, and the handler that was installed.
package enum HotKeys {
    @MainActor package static var registered: [[UInt32]] = []
    @MainActor package static var handler: EventHandlerUPP?
}

// sdk: var noErr: OSStatus { get }
public var noErr: OSStatus { 0 }
// sdk: var kVK_ANSI_Y: Int { get }
public var kVK_ANSI_Y: Int { 16 }
// sdk: var cmdKey: Int { get }
public var cmdKey: Int { 256 }
// sdk: var optionKey: Int { get }
public var optionKey: Int { 2048 }
// sdk: var controlKey: Int { get }
public var controlKey: Int { 4096 }
// sdk: var kEventClassKeyboard: Int { get }
public var kEventClassKeyboard: Int { 0x6b65_7962 }
// sdk: var kEventHotKeyPressed: Int { get }
public var kEventHotKeyPressed: Int { 5 }

// sdk: struct EventTypeSpec
public struct EventTypeSpec {
    // sdk: init(eventClass: OSType, eventKind: UInt32)
    public init(eventClass: OSType, eventKind: UInt32) {}
}

// sdk: struct EventHotKeyID
public struct EventHotKeyID {
    // sdk: init(signature: OSType, id: UInt32)
    public init(signature: OSType, id: UInt32) {}
}

// sdk: func GetApplicationEventTarget() -> EventTargetRef!
public func GetApplicationEventTarget() -> EventTargetRef! { nil }
// sdk: func InstallEventHandler(_ inTarget: EventTargetRef!, _ inHandler: EventHandlerUPP!, _ inNumTypes: Int, _ inList: UnsafePointer<EventTypeSpec>!, _ inUserData: UnsafeMutableRawPointer!, _ outRef: UnsafeMutablePointer<EventHandlerRef?>!) -> OSStatus
@discardableResult public func InstallEventHandler(_ inTarget: EventTargetRef!, _ inHandler: EventHandlerUPP!, _ inNumTypes: Int, _ inList: UnsafePointer<EventTypeSpec>!, _ inUserData: UnsafeMutableRawPointer!, _ outRef: UnsafeMutablePointer<EventHandlerRef?>!) -> OSStatus {
    let handler: EventHandlerUPP = inHandler
    MainActor.assumeIsolated { HotKeys.handler = handler }
    return noErr
}
// sdk: func RegisterEventHotKey(_ inHotKeyCode: UInt32, _ inHotKeyModifiers: UInt32, _ inHotKeyID: EventHotKeyID, _ inTarget: EventTargetRef!, _ inOptions: OptionBits, _ outRef: UnsafeMutablePointer<EventHotKeyRef?>!) -> OSStatus
@discardableResult public func RegisterEventHotKey(_ inHotKeyCode: UInt32, _ inHotKeyModifiers: UInt32, _ inHotKeyID: EventHotKeyID, _ inTarget: EventTargetRef!, _ inOptions: OptionBits, _ outRef: UnsafeMutablePointer<EventHotKeyRef?>!) -> OSStatus {
    MainActor.assumeIsolated { HotKeys.registered.append([inHotKeyCode, inHotKeyModifiers]) }
    outRef.pointee = OpaquePointer(bitPattern: 1)
    return noErr
}
// sdk: func UnregisterEventHotKey(_ inHotKey: EventHotKeyRef!) -> OSStatus
@discardableResult public func UnregisterEventHotKey(_ inHotKey: EventHotKeyRef!) -> OSStatus {
    MainActor.assumeIsolated { _ = HotKeys.registered.popLast() }
    return noErr
}
