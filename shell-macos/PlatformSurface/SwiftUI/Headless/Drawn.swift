// What a view comes to where nothing draws it, for the tests of the app's views. No part of Apple's API.
// swift-format-ignore-file

import AppKit

/// One thing that a person would see or press.
@MainActor package final class Drawn {
    package enum Kind { case text, image, button, toggle, picker, field, secureField, table, selectionMenu, command }
    package let kind: Kind
    /// What it says; a field's and a picker's label.
    package var title: String
    package var isEnabled = true
    package var keys: [String] = []
    package var role: String?
    package var isHiddenFromVoiceOver = false
    package var spoken: String?
    package var help: String?
    package var hint: String?
    package var traits: [String] = []
    /// Where it stands beside the view itself: `sheet`, `alert`, `dialog`, `menu`, `context menu`, `toolbar`.
    package var place: String?
    var action: () -> Void = {}
    var submit: (() -> Void)?
    package var text: Binding<String>?
    package var prompt: String?
    var setFocus: (Bool) -> Void = { _ in }
    package var isOn: Binding<Bool>?
    package var picked: AnyHashable?
    var pick: (AnyHashable?) -> Void = { _ in }
    package var options: [Drawn] = []
    package var tag: AnyHashable?
    var menu: (AnyHashable) -> [Drawn] = { _ in [] }
    var primary: (AnyHashable) -> Void = { _ in }

    init(_ kind: Kind, _ title: String = "") {
        self.kind = kind
        self.title = title
    }

    /// Nothing where it is dimmed, as on a Mac.
    package func press() { if isEnabled { action() } }
    package func type(_ typed: String) { if isEnabled { text?.wrappedValue = typed } }
    package func focus(_ hasFocus: Bool) { if isEnabled { setFocus(hasFocus) } }
    /// Return, in a field.
    package func enter() { if isEnabled { submit?() } }
    package func turn(_ on: Bool) { if isEnabled { isOn?.wrappedValue = on } }
    package func choose(_ option: AnyHashable?) { if isEnabled { pick(option) } }
    package func menu(of row: AnyHashable) -> [Drawn] { menu(row) }
    package func doubleClick(_ row: AnyHashable) { primary(row) }
}

/// What stands for views of Apple's: they draw themselves.
@MainActor protocol Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn]
}

/// Draws a view, and keeps its state from one drawing to the next, as SwiftUI does: by where a view stands.
@MainActor package final class Stage {
    private let root: any View
    private var kept: [String: AnyObject] = [:]
    private var watched: [String: any Watched] = [:]
    private var appeared: Set<String> = []
    private var pending: [() -> Void] = []
    var disappearing: [String: () -> Void] = [:]
    package private(set) var dismissals = 0
    var dismiss: () -> Void = {}
    /// Of a box that scrolls: the lower edge of a mark in it, and its height, in points.
    package var markBottom: CGFloat = 10
    package var boxHeight: CGFloat = 100
    /// Of what is drawn, in points: the window's, then that of a frame in it.
    package var width: CGFloat = 760
    /// What stands beside each other, each row with the width around it.
    package internal(set) var rows: [(width: CGFloat, row: [Drawn])] = []
    /// What stands below each other, in a row or not.
    var stacked: Set<ObjectIdentifier> = []

    package init(_ root: any View) {
        self.root = root
        dismiss = { [weak self] in self?.dismissals += 1 }
    }

    /// Anew, after what appearing and changes do.
    package func draw() -> [Drawn] {
        for _ in 0..<8 {
            (rows, stacked) = ([], [])
            let drawn = draw(root, "")
            if pending.isEmpty { return drawn }
            let acts = pending
            pending = []
            for act in acts { act() }
        }
        return draw(root, "")
    }

    func draw(_ view: any View, _ path: String) -> [Drawn] {
        if let drawable = view as? any Drawable { return drawable.draw(self, path) }
        let own = "\(path)/\(type(of: view))"
        bind(view, own)
        return body(view, own)
    }

    private func body<Shown: View>(_ view: Shown, _ path: String) -> [Drawn] { draw(view.body, path) }

    func bind(_ value: Any, _ path: String) {
        for (index, child) in Mirror(reflecting: value).children.enumerated() {
            (child.value as? any Bound)?.bind(self, "\(path).\(index)")
        }
    }

    func keep<Kept: AnyObject>(_ fresh: Kept, _ path: String) -> Kept {
        if let old = kept[path] as? Kept { return old }
        kept[path] = fresh
        return fresh
    }

    /// Its window is closed.
    package func close() {
        disappearing = [:]
        _ = draw()
        for act in disappearing.values { act() }
    }

    func appear(_ path: String, _ act: @escaping () -> Void) {
        if appeared.insert(path).inserted { pending.append(act) }
    }

    func watch(_ path: String, _ now: any Watched) {
        if let before = watched[path], !now.isSame(before) { pending.append(now.act) }
        watched[path] = now
    }
}

/// A property wrapper that the place of its view gives its value.
@MainActor protocol Bound { func bind(_ stage: Stage, _ path: String) }

protocol Watched {
    func isSame(_ other: any Watched) -> Bool
    var act: () -> Void { get }
}
struct WatchedValue<Value: Equatable>: Watched {
    let value: Value
    let act: () -> Void
    func isSame(_ other: any Watched) -> Bool { (other as? WatchedValue<Value>)?.value == value }
}

/// Where a value lives; which one is decided when its view is drawn.
@usableFromInline final class Held<Value>: @unchecked Sendable {
    final class Store: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    var store: Store
    init(_ value: Value) { store = Store(value) }
}
