import AppKit
import SwiftUI
import XCTest

@testable import Shell
@testable import ShellRules

/// Settings: the command of each control, and when it may be pressed.
@MainActor
final class SettingsViewTests: XCTestCase {
    private func settled(_ view: (ShellModel) -> any View) async throws -> (Desk, Stage) {
        let desk = try await Desk()
        try await desk.loadLists()
        return (desk, Stage(view(desk.model)))
    }

    /// Presses what opens the editor, and waits for it.
    private func open(_ stage: Stage, _ press: (Stage) -> Void) async throws {
        press(stage)
        try await until("opened") { stage.field("Name") != nil }
    }

    private func toAdvanced(_ stage: Stage) { stage.picker("Pane")?.choose(FormSection.Pane.advanced) }

    /// What the daemon was asked to make a request of.
    private func typed(_ desk: Desk) async throws -> String {
        try await until("typed") { desk.asked.contains { $0.method == "connections.form" && $0.params.contains("typed") } }
        return desk.asked.last { $0.params.contains("typed") }?.params ?? ""
    }

    func testAConnectionIsTestedEditedAndRemoved() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        let id = desk.model.state.lists.connections[1].id
        for title in ["Test", "Edit…", "Remove Connection"] { XCTAssertEqual(stage.button(title)?.isEnabled, false, title) }
        XCTAssertEqual(stage.button("Add Connection")?.isEnabled, true)
        stage.table?.choose(id)
        for title in ["Test", "Edit…", "Remove Connection"] { XCTAssertEqual(stage.button(title)?.isEnabled, true, title) }
        stage.button("Test")?.press()
        let tested = try await desk.asked("connections.test")
        XCTAssertTrue(tested.contains(id), tested)
        try await until("told") { stage.texts.contains { $0.contains("PostgreSQL 15.9") } }
        stage.button("OK")?.press()
        XCTAssertFalse(stage.texts.contains { $0.contains("PostgreSQL 15.9") })
        stage.button("Remove Connection")?.press()
        try await Task.sleep(for: .milliseconds(50))
        XCTAssertFalse(desk.asked.contains { $0.method == "connections.delete" }, "asked first")
        XCTAssertEqual(stage.button("Remove")?.role, "destructive")
        XCTAssertTrue(stage.texts.contains { $0.contains("sallyport connections restore") }, "how it comes back")
        stage.button("Remove")?.press()
        let removed = try await desk.asked("connections.delete")
        XCTAssertTrue(removed.contains(id), removed)
        _ = try await desk.asked("connections.list")
        stage.command("delete")?.press()
        XCTAssertNotNil(stage.button("Remove"), "the Delete key asks too")
    }

    func testARowHasItsMenuAndADoubleClickEdits() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        let id = desk.model.state.lists.connections[1].id
        let menu = try XCTUnwrap(stage.rowMenu).menu(of: id)
        XCTAssertEqual(menu.filter { $0.kind == .button }.map(\.title), ["Edit…", "Test", "Remove…"])
        menu.first { $0.title == "Test" }?.press()
        let tested = try await desk.asked("connections.test")
        XCTAssertTrue(tested.contains(id), tested)
        stage.table?.choose(desk.model.state.lists.connections[0].id)
        try await open(stage) { $0.rowMenu?.doubleClick(id) }
        let opened = try await desk.asked("connections.form")
        XCTAssertTrue(opened.contains(id), "not what is selected")
        XCTAssertEqual(stage.field("Name")?.text?.wrappedValue, "Größe 数据")
        let other = Stage(ConnectionsPane(model: desk.model))
        other.rowMenu?.menu(of: id).first { $0.title == "Remove…" }?.press()
        XCTAssertNotNil(other.button("Remove", "dialog"))
        let third = Stage(ConnectionsPane(model: desk.model))
        try await open(third) { $0.rowMenu?.menu(of: id).first { $0.title == "Edit…" }?.press() }
    }

    func testANewConnectionIsSavedOnceItMay() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        XCTAssertEqual(stage.button("Add Connection")?.keys, ["⌘n"])
        try await open(stage) { $0.button("Add Connection")?.press() }
        XCTAssertEqual(stage.draw().first { $0.kind == .field }?.title, "From a URL", "what one has is pasted first")
        XCTAssertEqual(stage.button("Save")?.keys, ["defaultAction"])
        XCTAssertEqual(stage.button("Cancel")?.keys, ["cancelAction"])
        stage.picker("Kind")?.choose("sqlite")
        XCTAssertNotNil(stage.field("Path"))
        XCTAssertNil(stage.field("Host"))
        stage.picker("Kind")?.choose("mysql")
        stage.field("Name")?.type("Shop")
        stage.field("Host")?.type("db.example.com")
        stage.picker("Password")?.choose("stored")
        XCTAssertEqual(stage.field("New password")?.kind, .secureField)
        stage.field("New password")?.type("s3cret")
        XCTAssertEqual(stage.field("New key passphrase")?.kind, .secureField)
        stage.field("New key passphrase")?.type("open sesame")
        XCTAssertEqual(stage.button("Save")?.isEnabled, true)
        stage.button("Save")?.press()
        let typed = try await typed(desk)
        for part in [
            #""name":"Shop""#, #""endpoint.host":"db.example.com""#, #""engine":"mysql""#, #""password.value":"s3cret""#,
            #""tls.keyPassphrase":"open sesame""#,
        ] { XCTAssertTrue(typed.contains(part), typed) }
        XCTAssertFalse(typed.contains("externalClients"), "what nobody changed")
        let saved = try await desk.asked("connections.save")
        XCTAssertTrue(saved.contains("db2.example.com") && saved.contains(#""rowLimit":null"#), "the daemon's draft: \(saved)")
        try await until("closed") { stage.field("Name") == nil }
    }

    func testAConnectionThatIsGoneIsNotEdited() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        let said = try desk.refuse("click/form-gone").shownMessage
        stage.rowMenu?.doubleClick(desk.model.state.lists.connections[1].id)
        let texts = { (window: NSWindow) in Stage(window.contentViewController?.root as? any View ?? EmptyView()).texts }
        try await until("told") { NSWindow.shown.contains { texts($0).contains(said) } }
        XCTAssertNil(stage.field("Name"))
    }

    func testWriteAccessIsChosenOnceItIsOffered() async throws {
        let desk = try await Desk()
        let stage = Stage(ConnectionEditor(model: desk.model, form: ConnectionForm(nil, try Fixtures.form())))
        toAdvanced(stage)
        XCTAssertNil(stage.picker("Write access"))
        stage.picker("External Clients")?.choose("readWrite")
        let access = try XCTUnwrap(stage.picker("Write access"))
        XCTAssertTrue(access.options.contains { $0.tag == access.picked }, "an empty button")
        stage.button("Save")?.press()
        let typed = try await typed(desk)
        XCTAssertTrue(typed.contains(#""typed":{"externalClients":"readWrite"}"#), typed)
    }

    func testAURLFillsTheFormAndIsNotKept() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        try await open(stage) { $0.button("Add Connection")?.press() }
        XCTAssertEqual(stage.button("Use")?.isEnabled, false)
        stage.field("From a URL")?.type("postgres://anna:s3cret@db.example.com/shop")
        desk.forget()
        stage.button("Use")?.press()
        XCTAssertEqual(stage.field("From a URL")?.text?.wrappedValue, "", "a password may have stood in it")
        let asked = try await desk.asked("connections.form")
        XCTAssertTrue(asked.contains("s3cret") && asked.contains(#""home":"\/"#), asked)
        try await until("filled in") { stage.field("Host")?.text?.wrappedValue == "db1.example.com,db2.example.com:5433" }
        XCTAssertEqual(stage.field("New password")?.text?.wrappedValue, "s3cret")
        XCTAssertTrue(stage.texts.contains("application_name in the URL has no effect here."))
        let said = try desk.refuse("click/url-wrong").shownMessage
        stage.field("From a URL")?.type("postgres://u:hun#ter2@h/d")
        stage.button("Use")?.press()
        try await until("told") { stage.texts.contains(said) }
        stage.button("Cancel")?.press()
        XCTAssertNil(stage.field("Name"))
    }

    func testAnEditorComplainsOnceItWasAskedToSaveAndUnderTheFieldThatIsWrong() async throws {
        let desk = try await Desk()
        let names = try Recorded.names("click").filter { $0.hasPrefix("wrong ") }
        XCTAssertGreaterThan(names.count, 25)
        for name in names {
            var form = ConnectionForm(nil, try Fixtures.form())
            let parts = name.dropFirst(6).split(separator: ".")
            let field = try XCTUnwrap(
                stride(from: parts.count, to: 0, by: -1).lazy.compactMap { count in
                    let path = parts.prefix(count).joined(separator: ".")
                    return form.sections.flatMap(\.fields).first { $0.key == path }
                }.first)
            for (key, values) in field.shownIf ?? [:] { form[key] = values[0] }
            let why = try XCTUnwrap(desk.refuse("click/\(name)").data?.why)
            let sentence = "\(why.prefix(1).uppercased())\(why.dropFirst())."
            let stage = Stage(ConnectionEditor(model: desk.model, form: form))
            XCTAssertFalse(stage.draw().contains { $0.title == "exclamationmark.triangle" }, "nothing was typed yet")
            stage.button("Save")?.press()
            let said = { stage.draw().map(\.title).enumerated().filter { $0.1 == sentence }.map(\.0) }
            try await until(name) { !said().isEmpty }
            XCTAssertEqual(said().count, 1, "\(name) is told once")
            let before = stage.draw()[..<said()[0]].last { [.field, .secureField, .picker].contains($0.kind) }
            XCTAssertEqual(before?.title, field.label, "\(name): under its field")
            XCTAssertEqual(stage.picker("Pane")?.picked, form.sections.first { $0.fields.contains(field) }?.pane, name)
        }
    }

    func testADraftIsTestedAndItsHostKeyTrusted() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        try await open(stage) { $0.rowMenu?.doubleClick(desk.model.state.lists.connections[1].id) }
        stage.field("Host")?.type("db9.example.com")
        try desk.answer("click/host-key-tried")
        stage.button("Test", "sheet")?.press()
        let typed = try await typed(desk)
        XCTAssertTrue(typed.contains(#""typed":{"endpoint.host":"db9.example.com"}"#), typed)
        let tried = try await desk.asked("connections.try")
        XCTAssertTrue(tried.contains("db2.example.com") && !tried.contains("hostKey"), "the daemon's draft: \(tried)")
        XCTAssertFalse(desk.asked.contains { $0.method == "connections.save" })
        try await until("shown") { stage.button("Trust This Key", "sheet") != nil }
        let key = try XCTUnwrap(ConnectionTestText(Recorded("click/host-key-tried").result()).hostKey)
        XCTAssertTrue(stage.texts.contains { $0.contains(key) })
        desk.said.use { $0.answers["connections.try"] = nil }
        stage.button("Trust This Key", "sheet")?.press()
        try await until("dialled") { stage.texts.contains { $0.contains("PostgreSQL 15.9") } }
        let trusted = try await desk.asked("connections.try")
        XCTAssertTrue(trusted.contains("\"hostKey\":\"\(key.replacingOccurrences(of: "/", with: "\\/"))\""), trusted)
        XCTAssertNil(stage.button("Trust This Key"))
        stage.field("Host")?.type("db8.example.com")
        XCTAssertFalse(stage.texts.contains { $0.contains("PostgreSQL 15.9") }, "of what was dialled")
        desk.said.use { $0.slow = ["connections.try"] }
        desk.forget()
        stage.button("Test", "sheet")?.press()
        _ = try await desk.asked("connections.try")
        stage.field("Host")?.type("db7.example.com")
        XCTAssertEqual(stage.button("Test", "sheet")?.isEnabled, false)
        try await until("answered") { stage.button("Test", "sheet")?.isEnabled == true }
        XCTAssertFalse(stage.texts.contains { $0.contains("PostgreSQL 15.9") }, "nor of what is typed meanwhile")
    }

    func testASavedConnectionsHostKeyIsTrustedFromTheList() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        let id = desk.model.state.lists.connections[1].id
        try desk.answer("click/host-key-tested")
        stage.rowMenu?.menu(of: id).first { $0.title == "Test" }?.press()
        try await until("shown") { stage.button("Trust This Key", "alert") != nil }
        desk.forget()
        stage.button("Trust This Key", "alert")?.press()
        let trusted = try await desk.asked("connections.test")
        XCTAssertTrue(trusted.contains(id) && trusted.contains("hostKey"), trusted)
    }

    func testATunnelIsEditedUnderAdvanced() async throws {
        let desk = try await Desk()
        let stage = Stage(ConnectionEditor(model: desk.model, form: ConnectionForm(nil, try Fixtures.form())))
        toAdvanced(stage)
        XCTAssertNil(stage.field("SSH server"))
        stage.picker("Tunnel")?.choose("ssh")
        stage.field("SSH server")?.type("me@bastion")
        XCTAssertTrue(stage.texts.contains { $0.hasPrefix("By the system’s own ssh") })
        for title in ["New passphrase of the SSH key", "New SSH password"] {
            XCTAssertEqual(stage.field(title)?.kind, .secureField)
            stage.field(title)?.type(title)
        }
        stage.button("Save")?.press()
        let typed = try await typed(desk)
        for part in [#""tunnel":"ssh""#, #""tunnel.destination":"me@bastion""#, #""sshPassword":"New SSH password""#] {
            XCTAssertTrue(typed.contains(part), typed)
        }
        var file = ConnectionForm(nil, try Fixtures.form())
        file["engine"] = "sqlite"
        let other = Stage(ConnectionEditor(model: desk.model, form: file))
        toAdvanced(other)
        XCTAssertNotNil(other.field("Group"))
        XCTAssertNil(other.picker("Tunnel"), "a file is on this machine")
    }

    func testAColourOfOnesOwnIsDrawn() async throws {
        let dot = { (colour: String?) in ColourDot(colour: colour) }
        XCTAssertEqual(ColourDot.shown("#ff8000"), Color(nsColor: NSColor(srgbRed: 1, green: 128 / 255, blue: 0, alpha: 1)))
        XCTAssertNil(ColourDot.shown("mauve"))
        XCTAssertEqual(Stage(dot("#ff8000")).draw().first?.isHiddenFromVoiceOver, false)
        XCTAssertEqual(Stage(dot(nil)).draw().first?.isHiddenFromVoiceOver, true)
    }

    func testABoxIsRevokedAfterAYes() async throws {
        let (desk, stage) = try await settled { IntegrationsPane(model: $0) }
        _ = stage.draw()
        try await until("boxes") { stage.texts.contains("work") }
        let boxes = try Fixtures.read(Fixtures.Answered<BoxList>.self, "control/boxes.list.result").result.boxes
        XCTAssertTrue(stage.texts.contains(boxes[0].socket ?? ""))
        let menu = stage.buttons.filter { $0.place == "menu" }.suffix(2)
        XCTAssertEqual(menu.map(\.title), ["Revoke…", "Revoke…"], "a box is revoked, not deleted")
        desk.forget()
        menu.last?.press()
        stage.button("Revoke", "dialog")?.press()
        let revoked = try await desk.asked("boxes.revoke")
        XCTAssertTrue(revoked.contains(boxes[1].id), revoked)
        _ = try await desk.asked("boxes.list")
        XCTAssertFalse(desk.asked.contains { $0.method == "tokens.revoke" })
    }

    func testARefusedSaveIsToldInTheEditor() async throws {
        let (desk, stage) = try await settled { ConnectionsPane(model: $0) }
        let said = try desk.refuse("click/connection-gone").shownMessage
        try await open(stage) { $0.rowMenu?.doubleClick(desk.model.state.lists.connections[1].id) }
        XCTAssertEqual(stage.button("Test", "sheet")?.isEnabled, true)
        XCTAssertEqual(stage.button("Save")?.isEnabled, false, "nothing to save")
        stage.field("Name")?.type("Another")
        stage.button("Save")?.press()
        _ = try await desk.asked("connections.save")
        try await until("told") { stage.texts.contains(said) }
        XCTAssertEqual(stage.field("Name")?.text?.wrappedValue, "Another")
    }

    func testASavedConnectionOffersWhatCanBeSaved() async throws {
        let desk = try await Desk()
        let options = { (stage: Stage, title: String) in stage.picker(title)?.options.map(\.title) ?? [] }
        let new = Stage(ConnectionEditor(model: desk.model, form: ConnectionForm(nil, try Fixtures.form())))
        XCTAssertTrue(options(new, "Encryption").contains("Automatic"))
        let saved = Stage(ConnectionEditor(model: desk.model, form: ConnectionForm("c1", try Fixtures.form("-saved"))))
        XCTAssertEqual(options(saved, "Encryption").first, "Off")
        XCTAssertEqual(saved.picker("Encryption")?.picked, "verify-ca")
        saved.field("Host")?.type("localhost")
        XCTAssertEqual(options(saved, "Encryption").first, "Automatic", "nothing is saved for that place")
        saved.picker("Encryption")?.choose("require")
        saved.field("Host")?.type("db9.example.com")
        XCTAssertEqual(saved.picker("Encryption")?.picked, "require", "it was chosen")
        toAdvanced(saved)
        XCTAssertEqual(options(saved, "Databases").count, 2)
    }

    func testListsThatChangeInARowAreLoadedOnce() async throws {
        let (desk, _) = try await settled { ConnectionsPane(model: $0) }
        for _ in 0..<5 { desk.model.loadLists() }
        try await until("loaded") { desk.asked.contains { $0.method == "settings.list" } }
        let isSilent = try await desk.wasSilent("nothing")
        XCTAssertTrue(isSilent)
        XCTAssertEqual(desk.asked.filter { $0.method == "connections.list" }.count, 1)
    }

    func testATokenIsRevokedAndDeletedAfterAYes() async throws {
        let (desk, stage) = try await settled { AuthenticationSection(model: $0) }
        let tokens = desk.model.state.lists.tokens
        let menu = stage.buttons.filter { $0.place == "menu" }
        XCTAssertEqual(menu.map(\.title), tokens.flatMap { _ in ["Revoke…", "Delete…"] })
        let rows = tokens.map { TokenRow($0) { "\($0)" } }
        XCTAssertEqual(stride(from: 0, to: menu.count, by: 2).map { menu[$0].isEnabled }, rows.map(\.canRevoke))
        menu[0].press()
        XCTAssertEqual(stage.button("Revoke", "dialog")?.role, "destructive")
        stage.button("Revoke", "dialog")?.press()
        let revoked = try await desk.asked("tokens.revoke")
        XCTAssertTrue(revoked.contains(tokens[0].id), revoked)
        stage.buttons.filter { $0.place == "menu" }[3].press()
        stage.button("Delete", "dialog")?.press()
        let deleted = try await desk.asked("tokens.delete")
        XCTAssertTrue(deleted.contains(tokens[1].id), deleted)
        XCTAssertNil(stage.button("Delete", "dialog"))
    }

    func testATokenIsMintedShownOnceAndCopiedAsASecret() async throws {
        let (desk, stage) = try await settled { AuthenticationSection(model: $0) }
        stage.button("New Token…")?.press()
        XCTAssertEqual(stage.button("Create Token")?.isEnabled, false)
        XCTAssertEqual(stage.button("Create Token")?.keys, ["defaultAction"])
        stage.field("Name")?.type("Laptop")
        stage.picker("Permission Level")?.choose(Scope.readWrite)
        stage.toggle("The client itself")?.turn(true)
        stage.toggle("All connections, later ones too")?.turn(false)
        stage.toggle("Größe")?.turn(true)
        stage.button("Create Token")?.press()
        let minted = try await desk.asked("tokens.mint")
        let picked = desk.model.state.lists.connections[1].id
        for part in ["\"Laptop\"", "readWrite", picked, "\"confirmInClient\":true"] { XCTAssertTrue(minted.contains(part), part) }
        let token = "sp_bWludGVkLXRva2VuLW1pbnRlZC10b2tlbi1taW50ZWQ"
        try await until("shown") { stage.texts.contains(token) }
        stage.button("Copy the token")?.press()
        XCTAssertEqual(NSPasteboard.one.held, ["string": token, "org.nspasteboard.ConcealedType": ""])
        stage.button("Done")?.press()
        XCTAssertFalse(stage.texts.contains(token))
    }

    func testTheServerIsSwitchedAndStarted() async throws {
        let (desk, stage) = try await settled { ServerSection(model: $0) }
        XCTAssertEqual(stage.toggle("MCP server")?.isOn?.wrappedValue, true)
        XCTAssertTrue(stage.draw().contains { $0.kind == .image && $0.title == "checkmark.circle.fill" })
        stage.toggle("MCP server")?.turn(false)
        let set = try await desk.asked("settings.set")
        XCTAssertTrue(set.contains("\"enabled\"") && set.contains("false"), set)
        stage.button("Copy the server’s address")?.press()
        XCTAssertEqual(NSPasteboard.one.held, ["string": "http://127.0.0.1:27432/mcp"])
        let idle = ShellModel()
        let other = Stage(ServerSection(model: idle))
        XCTAssertNil(other.toggle("MCP server"))
        XCTAssertNotNil(other.button("Start Sallyport"))
    }

    func testAClientIsConnectedByItsKind() async throws {
        let (desk, stage) = try await settled { IntegrationsPane(model: $0) }
        _ = stage.draw()
        _ = try await desk.asked("clients.list")
        XCTAssertEqual(stage.button("Connect a Client…")?.keys, ["⌘k"])
        stage.button("Connect a Client…")?.press()
        XCTAssertTrue(desk.model.isConnectingClient)
        let kinds = ConnectClientSheet.Kind.allCases
        _ = stage.draw()
        _ = try await desk.asked("snippets.list")
        try await until("a snippet") { stage.texts.contains { $0.contains("sallyport-mcp") } }
        stage.picker("Kind of client")?.choose(kinds[kinds.count - 1])
        XCTAssertTrue(stage.texts.contains(kinds[kinds.count - 1].explanation))
        let snippets = stage.buttons.filter { $0.spoken == "Copy the snippet" }
        snippets.first?.press()
        XCTAssertNotNil(NSPasteboard.one.held["string"])
        stage.button("Done")?.press()
        XCTAssertFalse(desk.model.isConnectingClient)
    }

    func testConnectAClientTellsWhyThereIsNothingToCopy() async throws {
        let desk = try await Desk()
        let said = try desk.refuse("click/snippets-fail").shownMessage
        let stage = Stage(ConnectClientView(model: desk.model, sheet: ConnectClientSheet(port: 27_432)))
        _ = stage.draw()
        try await until("told") { stage.texts.contains(said) }
    }

    func testASettingIsSetAtOnceAndRestored() async throws {
        let (desk, stage) = try await settled { AdvancedPane(model: $0) }
        let isOn = { stage.draw().filter { $0.kind == .toggle }.first }
        isOn()?.turn(false)
        _ = stage.draw()
        let set = try await desk.asked("settings.set")
        XCTAssertTrue(set.contains("port.fallback") && set.contains("false"), set)
        desk.forget()
        let port = { stage.draw().first { $0.kind == .field } }
        port()?.focus(true)
        port()?.type("2800")
        _ = stage.draw()
        let isSilent = try await desk.wasSilent("settings.set")
        XCTAssertTrue(isSilent, "half a number is not sent")
        port()?.enter()
        let number = try await desk.asked("settings.set")
        XCTAssertTrue(number.contains("2800"), number)
        XCTAssertEqual(stage.button("Restore Default", "context menu")?.isEnabled, false)
        let settable = { stage.draw().filter { [.field, .toggle, .picker].contains($0.kind) } }
        XCTAssertTrue(settable().allSatisfy(\.isEnabled))
        desk.model.send(.link(.lost))
        XCTAssertFalse(settable().isEmpty)
        XCTAssertFalse(settable().contains(where: \.isEnabled), "without a daemon nothing can be set")
        XCTAssertFalse(stage.buttons.contains(where: \.isEnabled))
    }

    func testANumberHoldsOnceItsFieldIsLeftAndIsSentOnce() async throws {
        let (desk, stage) = try await settled { AdvancedPane(model: $0) }
        let fields = { stage.draw().filter { $0.kind == .field } }
        fields()[0].focus(true)
        fields()[0].type("2800")
        fields()[0].enter()
        fields()[0].focus(false)
        _ = stage.draw()
        let number = try await desk.asked("settings.set")
        XCTAssertTrue(number.contains("\"port\"") && number.contains("2800"), number)
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertEqual(desk.asked.filter { $0.method == "settings.set" }.count, 1, "Return, and then it was left")
        desk.forget()
        fields()[1].focus(true)
        fields()[1].type("77")
        _ = stage.draw()
        fields()[1].focus(false)
        _ = stage.draw()
        let left = try await desk.asked("settings.set")
        XCTAssertTrue(left.contains("limits.requestsPerMinute") && left.contains("77"), left)
        desk.forget()
        fields()[2].focus(true)
        fields()[2].type("5")
        stage.close()
        let closed = try await desk.asked("settings.set")
        XCTAssertTrue(closed.contains("results.maxRows") && closed.contains("\"5\""), closed)
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertEqual(desk.asked.filter { $0.method == "settings.set" }.count, 1, "the others were sent")
    }

    func testAWrongNumberSaysSoAndStays() async throws {
        let (desk, stage) = try await settled { AdvancedPane(model: $0) }
        try desk.refuse("click/port-wrong")
        let port = { stage.draw().first { $0.kind == .field } }
        port()?.focus(true)
        port()?.type("70000")
        _ = stage.draw()
        port()?.focus(false)
        _ = stage.draw()
        let sentence = "“Port” takes a whole number from 1 to 65535."
        try await until("told") { stage.texts.contains(sentence) }
        XCTAssertEqual(port()?.text?.wrappedValue, "70000")
        let inWindows = NSWindow.shown.compactMap(\.shownView).flatMap { Stage($0).texts }
        XCTAssertFalse(inWindows.contains(sentence), "under its field, not in a window")
        desk.forget()
        stage.close()
        let isSilent = try await desk.wasSilent("settings.set")
        XCTAssertTrue(isSilent, "nor is it asked again")
    }

    func testAGivenUpSettingShowsAgainWhatHolds() async throws {
        let (desk, stage) = try await settled { AdvancedPane(model: $0) }
        try desk.refuse("click/more-requests")
        let perMinute = { stage.draw().filter { $0.kind == .field }[1] }
        let before = perMinute().text?.wrappedValue
        perMinute().type("770")
        _ = stage.draw()
        perMinute().enter()
        _ = try await desk.asked("settings.set")
        try await until("asked") { NSWindow.shown.count > 0 }
        NSWindow.shown.last?.pressCloseButton()
        try await until("it shows what holds") { perMinute().text?.wrappedValue == before }
    }

    func testADefaultIsRestored() async throws {
        let desk = try await Desk()
        try desk.answer("click/fewer-rows")
        try await desk.loadLists()
        let stage = Stage(AdvancedPane(model: desk.model))
        stage.button("Restore the default of “Rows at most”")?.press()
        let set = try await desk.asked("settings.set")
        XCTAssertTrue(set.contains("10000"), set)
        desk.forget()
        let fields = { stage.draw().filter { $0.kind == .field } }
        let rows = try XCTUnwrap(fields().firstIndex { $0.text?.wrappedValue == "700" })
        fields()[rows].type("77")
        stage.button("Restore the default of “Rows at most”")?.press()
        stage.close()
        _ = try await desk.asked("settings.set")
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertFalse(desk.asked.contains { $0.params.contains("77") }, "what was typed is not sent behind it")
    }

    func testTheOwnerPassphraseIsChangedTwiceTypedAndTurnedOffAfterAYes() async throws {
        let (desk, stage) = try await settled { PassphraseSection(model: $0) }
        stage.button("Change…")?.press()
        XCTAssertEqual(stage.field("New passphrase")?.kind, .secureField)
        XCTAssertEqual(stage.field("Verify")?.kind, .secureField)
        XCTAssertEqual(stage.button("Set Passphrase")?.isEnabled, false)
        stage.field("New passphrase")?.type("correct horse")
        XCTAssertEqual(stage.button("Set Passphrase")?.isEnabled, false)
        stage.field("Verify")?.type("correct horse")
        stage.button("Set Passphrase")?.press()
        let set = try await desk.asked("passphrase.set")
        XCTAssertTrue(set.contains("correct horse"))
        try await until("closed") { stage.field("New passphrase") == nil }
        stage.button("Turn Off…")?.press()
        XCTAssertFalse(desk.asked.contains { $0.method == "passphrase.off" })
        XCTAssertTrue(stage.texts.contains(PassphrasePane.turnOffNote))
        XCTAssertEqual(stage.button("Turn Off", "dialog")?.role, "destructive")
        stage.button("Turn Off", "dialog")?.press()
        _ = try await desk.asked("passphrase.off")
    }

    func testAForgottenPassphraseIsResetAndOneThatWasTheirsConfirmed() async throws {
        let (desk, stage) = try await settled { PassphraseSection(model: $0) }
        stage.button("It Was Me")?.press()
        _ = try await desk.asked("passphrase.confirm")
        stage.button("Forgot It…")?.press()
        XCTAssertTrue(stage.texts.contains(PassphrasePane.resetNote))
        XCTAssertEqual(stage.button("Reset Passphrase")?.isEnabled, false)
        stage.field("New passphrase")?.type("correct horse")
        stage.field("Verify")?.type("correct horse")
        stage.button("Reset Passphrase")?.press()
        let reset = try await desk.asked("passphrase.reset")
        XCTAssertEqual(reset, #"{"passphrase":"correct horse"}"#)
        try await until("closed") { stage.field("New passphrase") == nil }
        XCTAssertFalse(desk.asked.contains { $0.method == "passphrase.set" })
    }

    func testWhatWasAllowedWhileItWasOffIsKeptOrTakenBack() async throws {
        let (desk, stage) = try await settled { PassphraseSection(model: $0) }
        let answers: [(String, String, String?)] = [("Take Back", "takeBack", "destructive"), ("Keep…", "keep", nil)]
        for (title, grants, role) in answers {
            desk.forget()
            XCTAssertNil(stage.button(title))
            stage.button("Decide…")?.press()
            XCTAssertEqual(stage.button(title)?.role, role)
            XCTAssertTrue(stage.texts.contains(PassphrasePane.unconfirmedNote))
            stage.button(title)?.press()
            let asked = try await desk.asked("passphrase.confirm")
            XCTAssertEqual(asked, #"{"grants":"\#(grants)"}"#)
            try await until("closed") { stage.button(title) == nil }
        }
        desk.forget()
        stage.button("Decide…")?.press()
        stage.button("Decide Later")?.press()
        XCTAssertNil(stage.button("Take Back"))
        let isSilent = try await desk.wasSilent("passphrase.confirm")
        XCTAssertTrue(isSilent)
    }

    func testTheFirstPassphraseAfterItWasOffAsksAboutWhatWasAllowed() async throws {
        let (desk, stage) = try await settled { PassphraseSection(model: $0) }
        stage.button("Change…")?.press()
        stage.button("Cancel")?.press()
        XCTAssertNil(stage.button("Take Back"), "nothing was chosen")
        stage.button("Change…")?.press()
        stage.field("New passphrase")?.type("correct horse")
        stage.field("Verify")?.type("correct horse")
        stage.button("Set Passphrase")?.press()
        _ = try await desk.asked("passphrase.set")
        try await until("asked") { stage.button("Take Back") != nil }
    }

    func testThePassphraseIsShownAsItIsOnceItChanged() async throws {
        let (desk, stage) = try await settled { PassphraseSection(model: $0) }
        try desk.answer("off/status")
        XCTAssertNil(stage.button("Choose Passphrase…"))
        stage.button("It Was Me")?.press()
        try await until("off") { stage.button("Choose Passphrase…") != nil }
        XCTAssertNil(stage.button("It Was Me"))
    }

    func testSettingsIsOneWindowWithAPaneUnderEachTab() async throws {
        let desk = try await Desk()
        desk.model.send(.chose(.openSettings))
        let window = try XCTUnwrap(NSWindow.shown.last)
        XCTAssertTrue(desk.model.state.presence.windows.contains(.settings))
        XCTAssertEqual(NSApplication.one.activationPolicy(), .regular)
        XCTAssertEqual(window.done, ["size 760 560", "center", "key", "front"], "in front of the other apps, with the keys")
        XCTAssertTrue(NSApplication.one.done.contains("activate"))
        XCTAssertEqual(window.level, .normal, "not over the app that one copies from")
        XCTAssertTrue(window.styleMask.contains(.resizable))
        XCTAssertEqual(window.toolbarStyle, .preference)
        let tabs = try XCTUnwrap(window.contentViewController as? NSTabViewController)
        XCTAssertEqual(tabs.tabStyle, .toolbar)
        XCTAssertEqual(tabs.tabs.map(\.label), ["Connections", "Integrations", "Advanced"])
        XCTAssertEqual(tabs.tabs.map { $0.shown?.title }, tabs.tabs.map(\.label))
        XCTAssertEqual(
            tabs.tabs.map { $0.image?.symbol },
            ["cylinder.split.1x2", "puzzlepiece.extension", "gearshape.2"])
        XCTAssertEqual(tabs.selectedTabViewItemIndex, 0)
        let panes = tabs.tabs.map { Stage($0.shown?.root as? any View ?? EmptyView()) }
        for (pane, button) in zip(panes, ["Edit…", "New Token…", "Change…"]) {
            XCTAssertNotNil(pane.button(button), button)
        }
        desk.model.send(.chose(.connectClient))
        XCTAssertEqual(NSWindow.shown.count, 1, "one window")
        XCTAssertEqual(tabs.selectedTabViewItemIndex, 1)
        XCTAssertTrue(desk.model.isConnectingClient)
        XCTAssertNotNil(panes[1].button("Done"), "the sheet")
        window.pressCloseButton()
        XCTAssertFalse(desk.model.state.presence.windows.contains(.settings))
        desk.model.send(.chose(.openSettings))
        let again = try XCTUnwrap(NSWindow.shown.last?.contentViewController as? NSTabViewController)
        XCTAssertFalse(again === tabs, "its views are new")
        XCTAssertEqual(again.selectedTabViewItemIndex, 0)
    }

    func testCommandCommaOpensSettings() async throws {
        let desk = try await Desk()
        let group = try XCTUnwrap(SettingsCommands(model: desk.model).body as? any CommandsShown)
        XCTAssertEqual(group.place.name, "appSettings")
        let stage = Stage(group.shown)
        XCTAssertEqual(stage.buttons.map(\.title), ["Settings…"])
        stage.press("⌘,")
        XCTAssertTrue(desk.model.state.presence.windows.contains(.settings))
    }
}
