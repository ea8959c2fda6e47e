// AppKit: the pasteboard, other apps, files to choose, colours of the system. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class NSWorkspace
open class NSWorkspace: NSObject {
    // doc: class var shared: NSWorkspace { get }
    public class var shared: NSWorkspace { fatalError() }
    // doc: func urlForApplication(toOpen url: URL) -> URL?
    public func urlForApplication(toOpen url: URL) -> URL? { fatalError() }
    // doc: func open(_ url: URL) -> Bool
    @discardableResult public func open(_ url: URL) -> Bool { fatalError() }
}

// doc: class NSPasteboard
open class NSPasteboard: NSObject {
    // doc: class var general: NSPasteboard { get }
    public class var general: NSPasteboard { fatalError() }
    // doc: func clearContents() -> Int
    @discardableResult public func clearContents() -> Int { fatalError() }
    // doc: func setString(_ string: String, forType dataType: NSPasteboard.PasteboardType) -> Bool
    @discardableResult public func setString(_ string: String, forType dataType: NSPasteboard.PasteboardType) -> Bool { fatalError() }
    // doc: struct PasteboardType
    public struct PasteboardType: Hashable, RawRepresentable, Sendable {
        // doc: init(_ rawValue: String)
        public init(_ rawValue: String) { fatalError() }
        // doc: init(rawValue: String)
        public init(rawValue: String) { fatalError() }
        public var rawValue: String { fatalError() }
        // doc: static let string: NSPasteboard.PasteboardType
        public static var string: NSPasteboard.PasteboardType { fatalError() }
    }
}

// doc: @MainActor class NSSavePanel
@MainActor open class NSSavePanel: NSWindow {
    // doc: @MainActor func runModal() -> NSApplication.ModalResponse
    @discardableResult public func runModal() -> NSApplication.ModalResponse { fatalError() }
    // doc: @MainActor var url: URL? { get }
    public var url: URL? { fatalError() }
    // doc: @MainActor var showsHiddenFiles: Bool { get set }
    public var showsHiddenFiles: Bool { get { fatalError() } set { fatalError() } }
}

// doc: @MainActor class NSOpenPanel
@MainActor open class NSOpenPanel: NSSavePanel {
    // doc: @MainActor var canChooseDirectories: Bool { get set }
    public var canChooseDirectories: Bool { get { fatalError() } set { fatalError() } }
    // doc: @MainActor var allowsMultipleSelection: Bool { get set }
    public var allowsMultipleSelection: Bool { get { fatalError() } set { fatalError() } }
}

extension NSApplication {
    // doc: struct ModalResponse
    public struct ModalResponse: Hashable, RawRepresentable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        // doc: static let OK: NSApplication.ModalResponse
        public static var OK: NSApplication.ModalResponse { fatalError() }
    }
}

// doc: class NSColor
open class NSColor: NSObject {
    // doc: class var textBackgroundColor: NSColor { get }
    public class var textBackgroundColor: NSColor { fatalError() }
    // doc: class var separatorColor: NSColor { get }
    public class var separatorColor: NSColor { fatalError() }
}
