import AppKit
import Foundation
import SwiftUI
import UserNotifications
import XCTest

@testable import Shell
@testable import ShellRules

/// The app with a daemon that answers each request with the shared sample, whose shape is the real
/// daemon's (test/shared/control.test.ts), or as the real one was recorded. It notes the requests.
@MainActor
final class Desk {
    struct Asked: Equatable, Sendable {
        let method: String
        let params: String
    }

    struct Said: Sendable {
        var asked: [Asked] = []
        /// What the daemon says instead of the shared sample, by the method.
        var answers: [String: Recorded] = [:]
        /// What it says until the request is confirmed.
        var refusals: [String: Recorded] = [:]
        /// What it says to any passphrase.
        var typed: [String: Recorded] = [:]
        /// The methods that are answered a moment later.
        var slow: Set<String> = []
    }

    let model = ShellModel()
    private let folder = TestFolder()
    private let peer: TestPeer
    nonisolated let said = Locked(Said())

    init() async throws {
        UNUserNotificationCenter.one.posted = []
        NSApplication.one.done = []
        for window in NSWindow.shown { window.close() }
        let (said, secret) = (said, "the shell secret of this home")
        peer = TestPeer(at: "\(folder.path)/control.sock") { talk in
            guard var seal = talk.prove(secret: secret) else { return }
            while let text = talk.hear().flatMap({ seal.open($0) }) {
                guard let answer = Desk.answer(text, said), let line = try? seal.seal(answer) else { return }
                talk.say(line)
            }
        }
        try answer("click/desk.attach")
        let connected = await Connecting.prove(Locations(home: folder.path), shell: "app", secret: secret)
        guard case .connected(let client) = connected else { throw Fixtures.Missing(description: "no connection: \(connected)") }
        model.linkTold(.connected(client))
        try await until("attached") { self.model.state.status != nil }
        forget()
    }

    deinit {
        peer.end()
    }

    nonisolated private static func answer(_ text: String, _ said: Locked<Said>) -> String? {
        guard let request = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let id = request["id"] as? Int, let method = request["method"] as? String
        else { return nil }
        let params = (try? JSONSerialization.data(withJSONObject: request["params"] ?? [:], options: .sortedKeys)) ?? Data()
        let confirmed = request["confirm"].map { " confirmed \($0)" } ?? ""
        let typed = request["passphrase"].map { " with \($0)" } ?? ""
        let touched = request["touchId"].map { " touched \($0)" } ?? ""
        let (recorded, isSlow) = said.use { said in
            said.asked.append(Asked(method: method, params: String(decoding: params, as: UTF8.self) + confirmed + typed + touched))
            let isSettled =
                switch said.refusals[method]?.settled {
                case nil: true
                case .byClick: !confirmed.isEmpty
                case .byTouchID: !touched.isEmpty || !typed.isEmpty
                case .byPassphrase: !typed.isEmpty
                case .never: false
                }
            let refusal = isSettled ? nil : said.refusals[method]
            return (refusal ?? (typed.isEmpty ? nil : said.typed[method]) ?? said.answers[method], said.slow.contains(method))
        }
        if isSlow { Thread.sleep(forTimeInterval: 0.2) }
        if let recorded { return try? recorded.line(id: id) }
        guard let sample = try? Fixtures.text("control/\(method)\(form(request["params"])).result"),
            var answer = try? JSONSerialization.jsonObject(with: Data(later(sample).utf8)) as? [String: Any]
        else { return nil }
        answer["id"] = id
        return (try? JSONSerialization.data(withJSONObject: answer)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Which sample of a connection's form answers a request.
    nonisolated private static func form(_ params: Any?) -> String {
        guard let asked = params as? [String: Any], asked["home"] != nil else { return "" }
        if asked["url"] != nil { return "-pasted" }
        return asked["typed"] != nil ? "-draft" : asked["connection"] != nil ? "-saved" : ""
    }

    /// The samples have expired by now.
    nonisolated static func later(_ sample: String) -> String {
        sample.replacing(#/2026-11-20T12:(?:0[56]|1\d):00/#, with: "2099-11-20T12:05:00")
    }

    /// It is asked for from now on.
    func ask(_ id: String, _ change: (inout AskView) -> Void = { _ in }) throws {
        let view = try Fixtures.ask(id) {
            $0.expiresAt = "2099-11-20T12:05:00.000Z"
            change(&$0)
        }
        model.send(.notification(.deskChanged(DeskChange(waiting: 1, asked: view, ended: nil))))
    }

    func end(_ id: String) {
        model.send(.notification(.deskChanged(DeskChange(waiting: 0, asked: nil, ended: .init(id: id, because: .cancelled)))))
    }

    /// The card that is drawn.
    func card() throws -> AskSheet { try XCTUnwrap(model.state.desk.sheet) }

    func window() throws -> NSWindow { try XCTUnwrap(NSWindow.shown.first { $0.title == "Waiting for You" }) }

    var asksForPassphrase: Bool {
        if case .passphrase? = model.state.desk.sheet?.deciding.phase { true } else { false }
    }

    static func told(_ name: String) throws -> ControlNotification {
        try JSONText.decode(ControlNotification.self, from: later(try Fixtures.text("control/\(name).notification")))
    }

    var asked: [Asked] { said.use { $0.asked } }
    func forget() { said.use { $0.asked = [] } }

    /// The daemon says this from now on.
    /// - Parameter name: of what it was recorded to say.
    func answer(_ name: String) throws {
        let recorded = try Recorded(name)
        said.use { $0.answers[recorded.method] = recorded }
    }

    /// It refuses the request so, until that is confirmed as the refusal says.
    /// - Parameter typed: what it says to a passphrase; by default, that it is done.
    /// - Returns: the refusal.
    @discardableResult
    func refuse(_ name: String, typed: String? = nil) throws -> ControlError {
        let (recorded, wrong) = (try Recorded(name), try typed.map { try Recorded($0) })
        said.use {
            $0.refusals[recorded.method] = recorded
            if let wrong { $0.typed[wrong.method] = wrong }
        }
        return try recorded.error()
    }

    /// Waits for the request of a method.
    func asked(_ method: String) async throws -> String {
        try await until(method) { self.asked.contains { $0.method == method } }
        return self.asked.last { $0.method == method }?.params ?? ""
    }

    /// True if no such request follows within a moment.
    func wasSilent(_ method: String) async throws -> Bool {
        try await Task.sleep(for: .milliseconds(150))
        return !asked.contains { $0.method == method }
    }

    /// It is in such a home from now on.
    func isIn(_ status: String) throws {
        try answer(status)
        model.send(.status(try Recorded(status).result()))
    }

    func loadLists() async throws {
        model.send(.presence(.opened(.settings)))
        try await until("lists") { !self.model.state.lists.connections.isEmpty && !self.model.state.lists.settings.isEmpty }
        forget()
    }

    /// After the first moment, in which nothing can be approved.
    func wait() async throws { try await Task.sleep(for: .milliseconds(750)) }
}

@MainActor
func until(_ what: String, _ isSo: () -> Bool) async throws {
    for _ in 0..<500 {
        if isSo() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw Fixtures.Missing(description: "never came: \(what)")
}

extension Stage {
    var buttons: [Drawn] { draw().filter { $0.kind == .button && !$0.isHiddenFromVoiceOver } }
    var texts: [String] { draw().filter { $0.kind == .text }.map(\.title) }

    /// Finds a button by its visible or spoken words.
    func button(_ title: String, _ place: String? = nil) -> Drawn? {
        buttons.first { ($0.title == title || $0.spoken == title) && (place == nil || $0.place == place) }
    }
    func field(_ title: String) -> Drawn? { draw().first { ($0.kind == .field || $0.kind == .secureField) && $0.title == title } }
    func toggle(_ title: String) -> Drawn? { draw().first { $0.kind == .toggle && $0.title.hasPrefix(title) } }
    func picker(_ title: String) -> Drawn? { draw().first { $0.kind == .picker && $0.title == title } }
    var table: Drawn? { draw().first { $0.kind == .table } }
    var rowMenu: Drawn? { draw().first { $0.kind == .selectionMenu } }
    func command(_ name: String) -> Drawn? { draw().first { $0.kind == .command && $0.title == name } }

    /// Presses the key. Hidden buttons count too.
    func press(_ key: String) { draw().first { $0.keys.contains(key) }?.press() }

    /// Checks that each choice has its button, with the right label, keys and state.
    func check<Answer>(_ choices: [Choice<Answer>], file: StaticString = #filePath, line: UInt = #line) {
        let drawn = draw().filter { $0.kind == .button }
        let shown = drawn.filter { !$0.isHiddenFromVoiceOver }
        XCTAssertEqual(shown.map(\.title), choices.map(\.label), "the buttons", file: file, line: line)
        for (button, choice) in zip(shown, choices) {
            XCTAssertEqual(button.isEnabled, choice.state.isEnabled, "\(choice.label) may be pressed", file: file, line: line)
            XCTAssertEqual(button.hint ?? "", choice.state.reason ?? "", "why not \(choice.label)", file: file, line: line)
            let names: [ChoiceKey: String] = [.returnKey: "defaultAction", .escape: "cancelAction", .commandReturn: "⌘↩"]
            let keys = choice.keys.compactMap { names[$0] }
            // If a button has Return, its Esc belongs to a hidden button behind it.
            let hidden = drawn.drop { $0 !== button }.dropFirst().prefix { $0.isHiddenFromVoiceOver }
            XCTAssertEqual(
                Set(button.keys + hidden.flatMap(\.keys)), Set(keys), "the keys of \(choice.label)", file: file, line: line)
            for one in hidden {
                XCTAssertEqual(one.isEnabled, choice.state.isEnabled, "Esc for \(choice.label)", file: file, line: line)
            }
        }
    }
}
