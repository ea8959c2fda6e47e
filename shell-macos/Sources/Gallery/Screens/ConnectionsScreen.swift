import Foundation
import ShellRules

/// Settings > Connections: the list, the editor's two panes, and the editor with mistakes.
struct ConnectionsScreen {

    var pictures: [Picture] {
        return [
            list,
            editor("connection-general", 0, general(wrongForm), "General, unrolled, with what is wrong in it"),
            editor(
                "connection-advanced", 1, advanced(tunnelled), "Advanced, unrolled, with an SSH server that is not known yet",
                tested: ConnectionTestText(Samples.unknownHostKey)),
        ]
    }

    private var list: Picture {
        let headings = [
            Table.Heading(title: localized("Name"), width: 150),
            Table.Heading(title: localized("Database"), width: 246, cutsMiddle: true),
            Table.Heading(title: localized("Group"), width: 80),
            Table.Heading(title: localized("External Clients"), width: 284, mayCut: false),
        ]
        let rows = Samples.connections.map { ConnectionRow($0, at: Samples.now.wall) }.map { row in
            [
                Table.Cell(row.name, dot: dot(row.colour)), Table.Cell(row.place, .secondary), Table.Cell(row.group ?? ""),
                Table.Cell(row.access),
            ]
        }
        let bar = Row(
            spacing: 8,
            [
                Segments(labels: ["+", "–"], chosen: nil), Spacer(), Button(localized("Test")), Button(localized("Edit…")),
            ])
        let content = Column(
            spacing: 0,
            [
                Table(headings, rows: rows, height: 280, selected: 1, isBare: true), Rule(), Padding(10, 10, bar),
            ])
        return Picture(
            name: "connections", chrome: SettingsWindow.chrome(0), width: SettingsWindow.width, content: content,
            description: "Settings, Connections")
    }

    private func dot(_ colour: String?) -> String? {
        let tints: [String: Tint] = [
            "red": .red, "orange": .orange, "yellow": .yellow, "green": .green, "blue": .accent, "purple": .purple,
        ]
        return colour.map { ConnectionForm.components(ofColour: $0) == nil ? (tints[$0] ?? .grey).colour(.light) : $0 }
    }

    private let base = PathBase(folder: "/Users/anna", home: "/Users/anna")

    private var wrongForm: ConnectionForm {
        var form = ConnectionForm(new: base)
        form.fields.name = "Shop"
        form.fields.port = "70000"
        form.fields.database = "shop"
        form.fields.user = "anna"
        form.fields.host = "db.example.com"
        form.fields.passwordKind = .command
        form.fields.passwordCommand = "pass show shop"
        form.refused(Samples.refused("endpoint.port: a port from 1 to 65535 is expected."))
        return form
    }

    private var tunnelled: ConnectionForm {
        var form = ConnectionForm(editing: Samples.connections[1], base: base)
        form.fields.tunnelKind = .ssh
        form.fields.sshServer = "me@bastion.example.com"
        return form
    }

    private func editor(
        _ name: String, _ pane: Int, _ sections: [any Element], _ state: String, tested: ConnectionTestText? = nil
    ) -> Picture {
        let panes = Row([Spacer(), Segments(labels: [localized("General"), localized("Advanced")], chosen: pane), Spacer()])
        let buttons = Row(
            spacing: 8,
            [
                Spacer(), Button(localized("Cancel")), Button(localized("Save"), .standard),
            ])
        let result: [any Element] = tested.map { [remark($0.sentence, isProblem: !$0.isReachable)] } ?? []
        let trust: [any Element] = tested?.hostKey == nil ? [] : [Button(localized("Trust This Key"))]
        let test = Column(spacing: 8, result + [Row(spacing: 8, [Button(localized("Test"))] + trust + [Spacer()])])
        let content = Column(
            spacing: 0,
            [
                Padding(20, 16, Column(spacing: 18, [panes] + sections + [test])), Rule(), Padding(20, 14, buttons),
            ])
        return Picture(
            name: name, chrome: .sheet, width: 540, content: content, description: "The connection editor, \(state)")
    }

    private func field(_ label: Wording, _ text: String, prompt: Wording? = nil) -> Row {
        formRow(localized(label), FormField(text, prompt: prompt.map(localized) ?? ""))
    }

    private func path(_ label: Wording) -> Row {
        let field = FormField("", prompt: localized("Optional"), width: 150)
        return formRow(localized(label), Row(spacing: 8, [field, Button(localized("Choose…"), .small)]))
    }

    private func problem(_ form: ConnectionForm, _ field: String) -> [any Element] {
        form.problem(field).map { [remark($0)] } ?? []
    }

    private func popUp(_ label: Wording, _ chosen: String, _ choices: [String]) -> Row {
        formRow(localized(label), FormPopUp(chosen, of: choices))
    }

    private func general(_ form: ConnectionForm) -> [any Element] {
        let fields = form.fields
        var server: [any Element] = [
            popUp("Connect by", localized("Host and port"), [localized("Host and port"), localized("Unix socket")])
        ]
        server += [field("Host", fields.host, prompt: "Required")] + problem(form, "endpoint.host")
        server += [field("Port", fields.port, prompt: "Default")] + problem(form, "endpoint.port")
        server += [field("Database", fields.database, prompt: "Optional"), field("User", fields.user, prompt: "Optional")]
        let tls = fields.tlsMode?.label ?? localized("Automatic")
        return [
            Card([
                formRow(
                    localized("From a URL"),
                    Row(
                        spacing: 8,
                        [
                            FormField("", prompt: "postgres://user@host/database", width: 230),
                            Button(localized("Use"), .small, isEnabled: false),
                        ]))
            ]),
            Card([
                field("Name", fields.name, prompt: "Required"), popUp("Kind", fields.engine.label, Engine.allCases.map(\.label)),
            ]),
            section(localized("Server"), server),
            Card(
                [
                    popUp("Password", fields.passwordKind.label, form.passwordKinds.map(\.label)),
                    field("Command", fields.passwordCommand, prompt: "Required"),
                    remark(ConnectionForm.commandNote, isProblem: false),
                ] + problem(form, "password.command")),
            section(
                localized("TLS"),
                [
                    popUp("Encryption", tls, TlsMode.allCases.map(\.label) + [localized("Automatic")]),
                    path("CA file"), path("Client certificate"), path("Client key"),
                    field("New key passphrase", "", prompt: "Optional"),
                ]),
        ]
    }

    private func advanced(_ form: ConnectionForm) -> [any Element] {
        let fields = form.fields
        let durations = ConnectionForm.WriteDuration.allCases.map(\.label) + [localized("As it is")]
        return [
            Card([
                popUp("External Clients", fields.externalClients.label, ExternalClientsLevel.allCases.map(\.label)),
                popUp("Write access", fields.writeDuration?.label ?? localized("As it is"), durations),
                popUp("AI Policy", fields.aiPolicy.label, AiPolicy.allCases.map(\.label)),
                popUp(
                    "Databases", fields.databases?.label ?? localized("Automatic"),
                    Databases.allCases.map(\.label) + [localized("Automatic")]),
                popUp(
                    "Of several servers", fields.targetServers?.rawValue ?? localized("The first that answers"),
                    TargetServers.allCases.map(\.rawValue) + [localized("The first that answers")]),
                field("Time zone", fields.timeZone, prompt: "As the server has it"),
            ]),
            Card([
                popUp("Tunnel", fields.tunnelKind.label, ConnectionForm.TunnelKind.allCases.map(\.label)),
                field("SSH server", fields.sshServer, prompt: "Required"),
                field("Hops before it", fields.sshJumps, prompt: "Separated by commas"), path("SSH key"),
                field("New passphrase of the SSH key", "", prompt: "Optional"), field("New SSH password", "", prompt: "Optional"),
                remark(ConnectionForm.sshNote, isProblem: false),
            ]),
            section(
                localized("Limits"),
                [
                    field("Seconds for a statement", fields.statementTimeoutSeconds, prompt: "As in Settings"),
                    field("Rows of a result", fields.rowLimit, prompt: "As in Settings"),
                    field("Rows changed in an hour", fields.writeRowLimit, prompt: "As in Settings"),
                ]),
            section(
                localized("Organization"),
                [
                    field("Group", fields.group, prompt: "Optional"), field("Tags", fields.tags, prompt: "Separated by commas"),
                    popUp(
                        "Color", fields.colour.map(ConnectionForm.label(ofColour:)) ?? localized("None"),
                        ConnectionForm.colours.map(ConnectionForm.label(ofColour:))),
                ]),
        ]
    }
}
