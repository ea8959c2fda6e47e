import AppKit
import XCTest

@testable import Shell
@testable import ShellRules

/// The item in the menu bar.
@MainActor
final class MenuBarItemTests: XCTestCase {
    override func setUp() async throws {
        NSStatusBar.one.made = []
    }

    private var item: NSStatusItem? { NSStatusBar.one.made.last }
    private var entries: [NSMenuItem] { item?.menu?.items ?? [] }

    /// Chooses an enabled item as AppKit does: it calls the target by the action's name.
    private func choose(_ title: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let entry = try XCTUnwrap(entries.first { $0.title == title }, title, file: file, line: line)
        XCTAssertTrue(entry.isEnabled, title, file: file, line: line)
        XCTAssertEqual(entry.action?.name, "press", title, file: file, line: line)
        try XCTUnwrap(entry.target as? MenuPress, title, file: file, line: line).press()
    }

    func testItIsThereOnceItIsToBeSeenAndNotBefore() async throws {
        let model = ShellModel()
        model.send(.link(.absent))
        XCTAssertNil(item, "launched by a link, nothing is shown")
        model.send(.presence(.opened(.notice)))
        let shown = try XCTUnwrap(item)
        XCTAssertTrue(shown.isVisible, "though the system has kept that it was dragged out")
        XCTAssertEqual(shown.autosaveName, "Sallyport")
        XCTAssertEqual(shown.behavior, .removalAllowed)
        XCTAssertEqual(shown.length, NSStatusItem.variableLength)
        model.send(.presence(.closed(.notice)))
        XCTAssertFalse(shown.isVisible)
        model.send(.presence(.opened(.notice)))
        XCTAssertTrue(shown.isVisible, "hidden by us, nobody has dragged it")
        XCTAssertEqual(NSStatusBar.one.made.count, 1)
    }

    func testDraggedOutItStaysOut() async throws {
        let model = ShellModel()
        model.send(.presence(.openedByHand))
        let shown = try XCTUnwrap(item)
        shown.isVisible = false
        model.send(.presence(.opened(.notice)))
        XCTAssertFalse(model.state.presence.shown.menuBar)
        XCTAssertFalse(shown.isVisible)
        model.send(.presence(.closed(.notice)))
        model.send(.reopened)
        XCTAssertFalse(shown.isVisible, "for this run")
        XCTAssertTrue(model.state.presence.shown.dock)
    }

    func testTheIconSaysTheState() async {
        let icons: [(MenuContent.Icon, String)] = [
            (.running, "lock.shield"), (.off, "shield.slash"), (.paused, "pause.circle"), (.troubled, "exclamationmark.shield"),
            (.asking, "hand.raised.fill"),
        ]
        for (icon, symbol) in icons { XCTAssertEqual(icon.symbol, symbol) }
    }

    func testTheMenuIsItsContentAndDoesWhatItSays() async throws {
        let desk = try await Desk()
        let model = desk.model
        model.send(.presence(.openedByHand))
        let wanted = model.state.menu.items.map { content in
            switch content {
            case .text(let text): text
            case .separator: "-"
            case .button(_, let title): title
            }
        }
        XCTAssertEqual(entries.map(\.title), wanted)
        XCTAssertEqual(item?.menu?.autoenablesItems, false, "a headline has no action, and AppKit would enable what has one")
        XCTAssertEqual(entries.first?.isEnabled, false)
        XCTAssertEqual(
            Dictionary(uniqueKeysWithValues: entries.filter { !$0.keyEquivalent.isEmpty }.map { ($0.title, $0.keyEquivalent) }),
            ["Settings…": ",", "Quit Sallyport": "q"])
        XCTAssertEqual(item?.button?.image?.symbol, "lock.shield")
        XCTAssertEqual(item?.button?.imagePosition, .imageLeading)
        XCTAssertEqual(item?.button?.title, "")
        XCTAssertEqual(item?.button?.spoken, "Sallyport: \(model.state.menu.spoken)")
        try choose("Pause")
        _ = try await desk.asked("pause")
        try choose("Settings…")
        XCTAssertTrue(model.state.presence.windows.contains(.settings))
        try choose("Quit Sallyport")
        XCTAssertTrue(NSApplication.one.done.contains("terminate"))
        try desk.ask("k3m9x2pq")
        XCTAssertEqual(item?.button?.title, "1")
        XCTAssertEqual(item?.button?.image?.symbol, "hand.raised.fill")
        XCTAssertTrue(entries.contains { $0.title == "1 waits for you…" }, "drawn anew")
    }
}
