import Foundation
import ShellRules

/// Settings > Activity: the table, which follows the log, and its filters.
struct ActivityScreen {

    var pictures: [Picture] {
        var table = ActivityTable()
        let page = table.firstPage()
        table.follow(true)
        table.take(Samples.activity, for: page)
        var detail = table.detail(of: 1_283)
        detail?.take(.success(Samples.history))
        var history = HistoryTable()
        let asked = history.firstPage(ActivityTable.Filter())
        history.take(Samples.history, for: asked)
        return [
            picture("activity", table.rows, isFollowing: true, chosen: 1, detail: detail, "Settings, Activity, with a row chosen"),
            picture(
                "activity-statements", history.rows, showsStatements: true, remark: history.remark, chosen: 0,
                detail: history.detail(of: 12), "Settings, Activity, the statements that were kept"),
        ]
    }

    private func picture(
        _ name: String, _ rows: [ActivityTableRow], showsStatements: Bool = false, remark sentence: String? = nil,
        isFollowing: Bool = false, chosen: Int, detail: ActivityDetail?, _ description: String
    ) -> Picture {
        let headings = [
            Table.Heading(title: localized("Time"), width: 156, mayCut: false),
            Table.Heading(title: localized("Client"), width: 106),
            Table.Heading(title: localized("What"), width: 186), Table.Heading(title: localized("Connection"), width: 106),
            Table.Heading(title: localized("Result"), width: 206),
        ]
        let cells = rows.map { row in
            [
                Table.Cell(row.time.map(ActivityScreen.instant) ?? ""), Table.Cell(row.who), Table.Cell(row.what),
                Table.Cell(row.on),
                Table.Cell(row.resultLine, symbol: symbol(row.weight)),
            ]
        }
        let bar = Row(
            spacing: 8,
            [
                Fixed(
                    Typeface.body.width(localized("Follow")) + 24,
                    Checkbox(localized("Follow"), isOn: isFollowing, isEnabled: !showsStatements)),
                Spacer(),
                Button(localized("Verify…")),
            ])
        var parts: [any Element] = [
            Padding(
                10, 0,
                Column([Spacer(), Segments(labels: [localized("Log"), localized("Statements")], chosen: showsStatements ? 1 : 0)])),
            Padding(10, 10, filters(showsStatements)),
        ]
        if let sentence { parts.append(Padding(10, 6, remark(sentence, isProblem: false))) }
        parts += [Rule(), Table(headings, rows: cells, height: 24 * 10, selected: chosen, isBare: true)]
        if let detail {
            let about: [any Element] = [statementRows(detail.statement)]
            let words = Column(
                spacing: 8, about + (detail.remark.map { [remark($0, isProblem: false)] } ?? []) + [factGrid(detail.facts)])
            parts += [Rule(), Scrolled(words, height: 170, isBare: true, inset: 10)]
        }
        parts += [Rule(), Padding(10, 10, bar)]
        return Picture(
            name: name, chrome: SettingsWindow.chrome(2), width: SettingsWindow.width, content: Column(spacing: 0, parts),
            description: description)
    }

    private func filters(_ showsStatements: Bool) -> Row {
        // A filter's pop-up menu is as wide as its longest English choice. The system cuts longer
        // ones.
        let span = PopUp(ActivityTable.Span.always.label, of: ActivityTable.Span.allCases.map(\.label))
        guard !showsStatements else {
            return Row(spacing: 8, [span, Field("", placeholder: localized("Search"), width: 588)])
        }
        return Row(
            spacing: 8,
            [
                PopUp(localized("All Categories"), of: ActivityCategory.allCases.map(\.label)),
                PopUp(localized("All Outcomes"), of: ActivityOutcome.allCases.map(\.label)), span,
                Field("", placeholder: localized("Token"), width: 84), Field("", placeholder: localized("Search"), width: 96),
            ])
    }

    private func symbol(_ weight: ActivityTableRow.Weight) -> (String, Tint)? {
        switch weight {
        case .plain: nil
        case .warning: (Glyph.warning, .orange)
        case .refusal: (Glyph.stop, .red)
        }
    }

    /// In British English. The app uses the reader's own form.
    static func instant(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970) % 86_400
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "20/11/2026, \(clock)"
    }
}

extension Samples {
    static let activity: ActivityPage = read(
        """
        {"rows":[\(activityRows.joined(separator: ","))],"older":null,"newest":1284,"problem":null}
        """)

    private static let hash = String(repeating: "9f86d081", count: 8)

    static let history: HistoryPage = read(
        """
        {"statements":[\(statements.joined(separator: ","))],"older":null,"kept":true,"leavesOut":true}
        """)

    private static let statements = [
        statement(
            12, "11:59:58", "denied", 0, "UPDATE carts\\nSET note = 'checked'\\nWHERE owner = 7 AND closed_at IS NULL",
            client: "Claude Code"),
        statement(
            11, "11:40:02", "success", 1, "SELECT id, name FROM customers ORDER BY name LIMIT 250", client: "Cursor", rows: 250),
        statement(
            10, "11:38:30", "rolled_back", 1, "DELETE FROM carts WHERE closed_at < now() - interval '1 year'", client: "Cursor",
            rows: 12),
    ]

    private static func statement(
        _ number: Int, _ clock: String, _ outcome: String, _ on: Int, _ text: String, client: String, rows: Int? = nil
    ) -> String {
        """
        {"id":\(number),"time":"2026-11-20T\(clock).000Z","connection":{"id":"\(id(on))","name":"\(names[on].0)"},
        "principal":"bridge:1","tokenName":"__stdio_bridge__","client":"\(client)","statementHash":"\(hash)","statement":"\(text)","isCut":false,
        "class":"write","outcome":"\(outcome)","rows":\(rows.map { "\($0)" } ?? "null"),"durationMilliseconds":8.1}
        """
    }

    private static let activityRows = [
        row(1_284, "12:00:07", "query", "Run a query", "success", client: "Claude Code", on: 0, rows: 42, milliseconds: 12.4),
        row(
            1_283, "11:59:58", "query", "Run a query", "denied", client: "Claude Code", on: 0,
            reason: "This connection is read only for external clients, and UPDATE writes."),
        row(1_282, "11:59:51", "tool", "Describe tables", "success", client: "Claude Code", on: 0, milliseconds: 8.1),
        row(1_281, "11:59:50", "tool", "List connections", "success", client: "Claude Code"),
        row(1_280, "11:42:12", "access", "Answer a pairing", "success", client: "Query Notebook"),
        row(1_279, "11:40:02", "query", "Run a query", "success", client: "Cursor", on: 1, rows: 250, milliseconds: 1_840),
        row(
            1_277, "11:38:30", "query", "Run a destructive statement", "success", client: "Cursor", on: 1, rows: 1,
            milliseconds: 96),
        row(1_275, "11:31:09", "auth", "Sign in", "rate_limited", count: 17, reason: "locked out"),
        row(1_274, "11:31:04", "auth", "Sign in", "denied", reason: "unknown token"),
        row(
            1_273, "11:05:44", "admin", "Change a connection", "success",
            client: "sallyport (process 4242, started by zsh) on /dev/ttys001", on: 1),
        row(1_272, "10:58:01", "query", "Export to a file", "error", client: "Zed", on: 2, milliseconds: 30_004),
        row(1_271, "10:57:12", "resource", "Tables", "success", client: "Zed", on: 2, milliseconds: 21),
    ]

    private static func row(
        _ number: Int, _ clock: String, _ category: String, _ action: String, _ outcome: String, client: String? = nil,
        on: Int? = nil,
        rows: Int? = nil, milliseconds: Double? = nil, count: Int = 1, reason: String? = nil
    ) -> String {
        func word(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        func digits(_ value: Any?) -> String { value.map { "\($0)" } ?? "null" }
        let connection = on.map { #"{"id":"\#(id($0))","name":"\#(names[$0].0)"}"# } ?? "null"
        return """
            {"number":\(number),"time":"2026-11-20T\(clock).000Z","kind":"event","category":"\(category)","action":"action","what":"\(action)",
            "outcome":"\(outcome)","fate":null,"attempt":null,"principal":null,"tokenName":null,"client":\(word(client)),
            "connection":\(connection),"statementHash":\(category == "query" ? word(hash) : "null"),"rows":\(digits(rows)),"durationMilliseconds":\(digits(milliseconds)),
            "reason":null,"why":\(word(reason)),"requestId":null,"count":\(count)}
            """
    }
}
