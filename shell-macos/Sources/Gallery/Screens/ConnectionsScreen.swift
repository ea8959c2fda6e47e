import Foundation
import ShellRules

/// Settings > Connections: the list, and the editor with both its panes, and with what is wrong in
/// it.
struct ConnectionsScreen {

    var pictures: [Picture] {
        let saved = ConnectionForm(editing: Samples.connections[1], base: base)
        return [
            list,
            editor("connection-general", 0, general(wrongForm), wrongForm, "General, unrolled, with what is wrong in it"),
            editor("connection-advanced", 1, advanced(saved), saved, "Advanced"),
        ]
    }

    private var list: Picture {
        let headings = [
            Table.Heading(title: localized("Name"), width: 150), Table.Heading(title: localized("Database"), width: 246),
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
                Button("+", .square), Button("–", .square), Spacer(), Button(localized("Test")), Button(localized("Edit…")),
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

    private func dot(_ colour: String?) -> Tint? {
        let tints: [String: Tint] = [
            "red": .red, "orange": .orange, "yellow": .yellow, "green": .green, "blue": .accent, "purple": .purple,
        ]
        return colour.map { tints[$0] ?? .grey }
    }

    private let base = PathBase(folder: "/Users/anna", home: "/Users/anna")

    private var wrongForm: ConnectionForm {
        var form = ConnectionForm(new: base)
        form.fields.name = "Shop"
        form.fields.port = "70000"
        form.fields.database = "shop"
        form.fields.user = "anna"
        form.fields.password = .command(" ")
        return form
    }

    private func editor(_ name: String, _ pane: Int, _ sections: [any Element], _ form: ConnectionForm, _ state: String) -> Picture
    {
        let panes = Row([Spacer(), Segments(labels: [localized("General"), localized("Advanced")], chosen: pane), Spacer()])
        let buttons = Row(
            spacing: 8,
            [
                Spacer(), Button(localized("Cancel")), Button(localized("Save"), .standard, isEnabled: form.command != nil),
            ])
        let test = Row([Button(localized("Test"), isEnabled: form.testCommand != nil), Spacer()])
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

    private func problem(_ form: ConnectionForm, _ field: ConnectionForm.Field) -> [any Element] {
        form.isChanged ? form.problems[field].map { [remark($0)] } ?? [] : []
    }

    private func popUp(_ label: Wording, _ chosen: String, _ choices: [String]) -> Row {
        formRow(localized(label), FormPopUp(chosen, of: choices))
    }

    private func general(_ form: ConnectionForm) -> [any Element] {
        let fields = form.fields
        var server: [any Element] = [
            popUp("Connect by", localized("Host and port"), [localized("Host and port"), localized("Unix socket")])
        ]
        server += [field("Host", fields.host)] + problem(form, .host)
        server += [field("Port", fields.port, prompt: "Default")] + problem(form, .port)
        server += [field("Database", fields.database), field("User", fields.user)]
        let tls = fields.tlsMode?.label ?? localized("Automatic")
        return [
            Card([
                field("Name", fields.name), popUp("Kind", fields.engine.label, Engine.allCases.map(\.label)),
                formRow(
                    localized("From a URL"),
                    Row(
                        spacing: 8,
                        [
                            FormField("", prompt: "postgres://user@host/database", width: 230),
                            Button(localized("Use"), .small, isEnabled: false),
                        ])),
            ]),
            section(localized("Server"), server),
            Card(
                [
                    popUp("Password", form.passwordKind.label, form.passwordKinds.map(\.label)),
                    field("Command", form.passwordCommand),
                    remark(ConnectionForm.commandNote, isProblem: false),
                ] + problem(form, .password)),
            section(
                localized("TLS"),
                [
                    popUp("Encryption", tls, TlsMode.allCases.map(\.label) + [localized("Automatic")]),
                    formRow(localized("CA file"), Button(localized("Choose…"), .small)),
                    formRow(localized("Client certificate"), Button(localized("Choose…"), .small)),
                    formRow(localized("Client key"), Button(localized("Choose…"), .small)),
                    field("New key passphrase", ""),
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
                    field("Group", fields.group), field("Tags", fields.tags, prompt: "Separated by commas"),
                    popUp(
                        "Color", fields.colour.map(ConnectionForm.label(ofColour:)) ?? localized("None"),
                        ConnectionForm.colours.map(ConnectionForm.label(ofColour:))),
                ]),
        ]
    }
}
