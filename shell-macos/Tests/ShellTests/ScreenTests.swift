import AppKit
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// Each window and pane, word for word: the visible and spoken texts, the keys of buttons, and what
/// is dimmed. So a diff shows a changed screen beside its code. SALLYPORT_WRITE_SCREENS=1 writes
/// the files in `Screens/` anew.
@MainActor
final class ScreenTests: XCTestCase {
    private func check(_ name: String, _ stage: Stage, file: StaticString = #filePath, line: UInt = #line) throws {
        let path = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appendingPathComponent("Screens/\(name).txt")
        let drawn = stage.draw().map(ScreenTests.line).joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["SALLYPORT_WRITE_SCREENS"] != nil {
            try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(drawn.utf8).write(to: path)
        }
        let kept = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
        for (number, (here, before)) in zip(drawn.components(separatedBy: "\n") + ["the end"], kept + ["the end"]).enumerated()
        where here != before {
            return XCTFail("\(name), line \(number + 1): \(here) instead of: \(before)", file: file, line: line)
        }
        try checkThatGermanFits(name, stage, file, line)
    }

    /// The widths of windows; a frame in one says its own. Settings' is 760.
    private static let widths: [String: CGFloat] = [
        "question": DeskList.cardWidth, "confirmation": DeskList.cardWidth, "pairing": DeskList.cardWidth,
        "pairing-without-one": DeskList.cardWidth,
        "requests": DeskList.cardWidth, "requests-one": DeskList.cardWidth, "first-run": 520,
    ]

    /// German needs more room than English. What can't be broken, buttons and the like in a row, fits
    /// the window, less the margins of a form.
    private func checkThatGermanFits(_ name: String, _ stage: Stage, _ file: StaticString, _ line: UInt) throws {
        stage.width = ScreenTests.widths[name] ?? 760
        let german = try Language.german()
        Language.$current.withValue(german) { _ = stage.draw() }
        for (width, row) in stage.rows {
            let titles = row.filter { ![.text, .image].contains($0.kind) && !$0.isHiddenFromVoiceOver }.map { one in
                let longest = one.options.map(\.title).max { TextRoom.width($0) < TextRoom.width($1) }
                // SwiftUI looks up its literals itself.
                return Language.$current.withValue(german) { localized(Wording(stringLiteral: longest ?? one.title)) }
            }
            let room = titles.reduce(0) { $0 + TextRoom.width($1) + 32 }
            XCTAssertLessThanOrEqual(room, width - 40, "\(name), in German: \(titles)", file: file, line: line)
        }
    }

    private static func line(_ one: Drawn) -> String {
        var parts = ["\(one.kind): \(one.title)"]
        if !one.isEnabled { parts.append("dimmed") }
        parts += one.keys.map { "key \($0)" } + one.traits
        if let role = one.role { parts.append(role) }
        if one.isHiddenFromVoiceOver { parts.append("not for VoiceOver") }
        for (what, text) in [
            ("spoken", one.spoken), ("prompt", one.prompt), ("help", one.help), ("hint", one.hint), ("in", one.place),
        ] {
            if let text, !text.isEmpty { parts.append("\(what) \(text)") }
        }
        if let isOn = one.isOn?.wrappedValue { parts.append(isOn ? "on" : "off") }
        if !one.options.isEmpty { parts.append("of \(one.options.map(\.title).joined(separator: ", "))") }
        return parts.joined(separator: " | ").replacingOccurrences(of: "\n", with: "⏎")
    }

    private func pane(_ name: String, _ view: (ShellModel) -> any View) async throws {
        let desk = try await Desk()
        try await desk.loadLists()
        let stage = Stage(view(desk.model))
        _ = stage.draw()
        if name == "integrations" { try await until("boxes") { stage.texts.contains("work") } }
        if name == "client" { try await until("snippets") { stage.texts.contains { $0.contains("sallyport-mcp") } } }
        try check(name, stage)
    }

    func testThePanesOfSettings() async throws {
        try await pane("connections") { ConnectionsPane(model: $0) }
        try await pane("integrations") { IntegrationsPane(model: $0) }
        try await pane("advanced") { AdvancedPane(model: $0) }
        try await pane("token") { MintTokenView(model: $0) }
        var form = ConnectionForm(nil, try Fixtures.form())
        try await pane("editor") { [form] in ConnectionEditor(model: $0, form: form) }
        let reset = try Fixtures.read(ControlAnswer<PassphraseStatus>.self, "control/passphrase.reset.result").result
        for (name, passphrase) in [
            ("passphrase-none", PassphraseStatus(state: .none, chosen: nil, reset: nil)),
            ("passphrase-off", PassphraseStatus(state: .off, chosen: reset.chosen, reset: nil)), ("passphrase-reset", reset),
        ] {
            let desk = try await Desk()
            var status = try XCTUnwrap(desk.model.state.status)
            status.passphrase = passphrase
            desk.model.send(.status(status))
            try check(name, Stage(PassphraseSection(model: desk.model)))
        }
        let wrong = ControlError.Details(field: "endpoint.port", why: "a port from 1 to 65535 is expected")
        form.refused(.refused(ControlError(code: -32_602, message: "", data: wrong)))
        try check("editor-wrong", Stage(ConnectionEditor(model: ShellModel(), form: form)))
        try await pane("client") { ConnectClientView(model: $0, sheet: ConnectClientSheet(port: 27432)) }
        try check("away", Stage(IntegrationsPane(model: ShellModel())))
        let denied = ShellModel()
        denied.send(.link(.denied))
        try check("denied", Stage(ServerSection(model: denied)))
    }

    func testTheCards() async throws {
        for (name, id) in [("question", "k3m9x2pq"), ("confirmation", "m4n8c2vb")] {
            let desk = try await Desk()
            try desk.ask(id)
            // After the first moment, in which no key denies.
            try await desk.wait()
            let stage = Stage(DeskWindow(model: desk.model))
            stage.markBottom = 400
            try check(name, stage)
        }
        let desk = try await Desk()
        desk.model.send(
            .opened(address: "sallyport://integrations/pair?client=x&redirect=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback"))
        try await until("begun") { desk.model.state.desk.sheet != nil }
        // After the first moment, in which nothing can be approved.
        try await desk.wait()
        let pairing = Stage(DeskWindow(model: desk.model))
        try check("pairing-without-one", pairing)
        pairing.toggle("Größe")?.turn(true)
        try check("pairing", pairing)
    }

    func testTheRefusedRequests() async throws {
        let desk = try await Desk()
        for id in ["rqst2345", "rqst6789"] { try desk.ask(id) }
        desk.model.send(.chose(.showDesk))
        let stage = Stage(DeskWindow(model: desk.model))
        stage.markBottom = 400
        try check("requests", stage)
        stage.toggle("1. Größe")?.turn(true)
        try await until("opened") { desk.model.state.desk.sheet?.uncounted == [] }
        // After the first moment, as above.
        try await desk.wait()
        try check("requests-one", stage)
    }

    func testTheFirstSteps() async throws {
        let desk = try await Desk()
        let folder = TestFolder()
        let stage = Stage(FirstRunWindow(model: desk.model, terminal: FirstRunViewTests.terminal(folder)))
        _ = stage.draw()
        try await until("looked") { stage.toggle("Cursor") != nil }
        try check("first-run", stage)
    }

    func testThePrompts() async throws {
        let allow = Stage(
            ConfirmationPromptView(prompt: .init(try Fixtures.read(ControlRefusal.self, "control/error.confirm-app").error)) { _ in
            })
        allow.markBottom = 400
        try check("prompt", allow)
        let passphrase = Stage(
            PassphraseView(prompt: .init(try Fixtures.read(ControlRefusal.self, "control/error.confirm").error)) { _ in })
        passphrase.markBottom = 400
        try check("passphrase", passphrase)
        try check("notice", Stage(NoticeView(sentence: "A sentence.") {}))
        let made = try Fixtures.read(ControlAnswer<MintedToken>.self, "control/tokens.mint.result").result
        try check("minted", Stage(MintedTokenView(minted: MintedSheet(made)) {}))
    }
}
