import ShellRules

/// Get Started while it looks, with its findings, and afterwards.
struct FirstRunScreen {
    var pictures: [Picture] {
        var beginning = Samples.status("ready")
        beginning.connections = 0
        beginning.passphrase = PassphraseStatus(state: .none)
        let looking = FirstRun()
        var found = looking
        found.take(.init(isDone: true, output: Samples.foundHere, remarks: ""))
        for id in ["postgres  anna@db.example.com:5432/shop", "cursor"] { found.tick(id, true) }
        var done = found
        _ = done.begin(.databases)
        done.ended(.databases, [.init(isDone: true, output: "shop is saved. It answers: PostgreSQL 17.2.\n", remarks: "")])
        done.take(.init(isDone: true, output: Samples.foundHere.replacing(/\{"name":"shop".*?\},\s/, with: ""), remarks: ""))
        return [
            picture("first-run-looking", looking, beginning, "while it looks"),
            picture("first-run", found, beginning, "with what was found"),
            picture("first-run-saved", done, Samples.status("ready"), "once a database was saved"),
        ]
    }

    private func picture(_ name: String, _ setup: FirstRun, _ status: DaemonStatus, _ state: String) -> Picture {
        let rows = setup.rows(status, isPassing: false).flatMap { [part($0, setup), Rule()] as [any Element] }
        let content = Column(
            spacing: 12,
            [
                Scrolled(Column(spacing: 12, rows), height: 440, isBare: true, inset: 0),
                Row([Spacer(), Button(localized("Done"), .standard)]),
            ])
        return Picture(
            name: name, chrome: .window(title: localized("Get Started")), width: 520, content: Padding(20, 20, content),
            description: "Get Started, \(state)")
    }

    private func part(_ row: FirstRun.Row, _ setup: FirstRun) -> Column {
        let mark: [any Element] = row.isDone ? [GlyphView(path: Glyph.done, size: 15, tint: .green)] : []
        let head = Row(
            spacing: 8, [Label(row.title, .headline)] + mark + [Spacer(), Button(row.button, isEnabled: row.isEnabled)])
        let options: [any Element] = row.options.map { option in
            Column(
                spacing: 2,
                [
                    Checkbox(option.title, isOn: setup.chosen.contains(option.id), isOurs: false),
                    Padding(20, 0, Label(option.detail, .small, .secondary, breaking: .anywhere)),
                ])
        }
        return Column(spacing: 6, [head, Label(row.state, .body, .secondary, breaking: .words)] + options)
    }
}

extension Samples {
    static let foundHere = """
        {"databases":[{"name":"shop","place":"postgres  anna@db.example.com:5432/shop","from":"~/.pgpass, with its password"},
        {"name":"stock","place":"mysql  anna@10.4.0.12:3306/stock","from":"DBeaver"}],"unreadable":[],
        "clients":[{"client":"claude-code","title":"Claude Code","file":"/Users/anna/.claude.json","connected":true},
        {"client":"cursor","title":"Cursor","file":"/Users/anna/.cursor/mcp.json","connected":false}]}
        """
}
