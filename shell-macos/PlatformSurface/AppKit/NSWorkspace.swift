// AppKit: the pasteboard, other apps, files to choose, colours of the system. Declarations only.
// swift-format-ignore-file
@_exported import Foundation

// doc: class NSWorkspace
open class NSWorkspace: NSObject {
    // doc: class var shared: NSWorkspace { get }
    public class var shared: NSWorkspace { one }
    nonisolated(unsafe) package static let one = NSWorkspace()
    package var opened: [URL] = []
    package var handlers: [String: URL] = [:]
    // doc: func urlForApplication(toOpen url: URL) -> URL?
    public func urlForApplication(toOpen url: URL) -> URL? { handlers[url.scheme ?? ""] }
    // doc: func open(_ url: URL) -> Bool
    @discardableResult public func open(_ url: URL) -> Bool {
        opened.append(url)
        return true
    }
}

// doc: class NSPasteboard
open class NSPasteboard: NSObject {
    // doc: class var general: NSPasteboard { get }
    public class var general: NSPasteboard { one }
    nonisolated(unsafe) package static let one = NSPasteboard()
    package var held: [String: String] = [:]
    // doc: func clearContents() -> Int
    @discardableResult public func clearContents() -> Int {
        held = [:]
        return 0
    }
    // doc: func setString(_ string: String, forType dataType: NSPasteboard.PasteboardType) -> Bool
    @discardableResult public func setString(_ string: String, forType dataType: NSPasteboard.PasteboardType) -> Bool {
        held[dataType.rawValue] = string
        return true
    }
    // doc: struct PasteboardType
    public struct PasteboardType: Hashable, RawRepresentable, Sendable {
        // doc: init(_ rawValue: String)
        public init(_ rawValue: String) { self.rawValue = rawValue }
        // doc: init(rawValue: String)
        public init(rawValue: String) { self.rawValue = rawValue }
        public var rawValue: String
        // doc: static let string: NSPasteboard.PasteboardType
        public static var string: NSPasteboard.PasteboardType { NSPasteboard.PasteboardType("string") }
    }
}

// doc: @MainActor class NSSavePanel
@MainActor open class NSSavePanel: NSPanel {
    // doc: @MainActor func runModal() -> NSApplication.ModalResponse
    @discardableResult public func runModal() -> NSApplication.ModalResponse { NSSavePanel.chosen == nil ? NSApplication.ModalResponse(rawValue: 0) : .OK }
    package static var chosen: URL?
    // doc: @MainActor var url: URL? { get }
    public var url: URL? { NSSavePanel.chosen }
    // doc: @MainActor var showsHiddenFiles: Bool { get set }
    public var showsHiddenFiles: Bool = false
}

// doc: @MainActor class NSOpenPanel
@MainActor open class NSOpenPanel: NSSavePanel {
    // doc: @MainActor var canChooseDirectories: Bool { get set }
    public var canChooseDirectories: Bool = false
    // doc: @MainActor var allowsMultipleSelection: Bool { get set }
    public var allowsMultipleSelection: Bool = false
}

extension NSApplication {
    // doc: struct ModalResponse
    public struct ModalResponse: Hashable, RawRepresentable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        // doc: static let OK: NSApplication.ModalResponse
        public static var OK: NSApplication.ModalResponse { NSApplication.ModalResponse(rawValue: 1) }
    }
}

// doc: class NSColor
open class NSColor: NSObject {
    // doc: init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat)
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init()
        components = [red, green, blue, alpha].map { Double($0) }
    }
    package var components: [Double] = []
    // doc: class var textBackgroundColor: NSColor { get }
    public class var textBackgroundColor: NSColor { NSColor() }
    // doc: class var separatorColor: NSColor { get }
    public class var separatorColor: NSColor { NSColor() }
}
