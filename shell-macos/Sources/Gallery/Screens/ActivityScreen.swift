import Foundation
import ShellRules

/// Settings > Activity: the table as it is followed, and its filters.
struct ActivityScreen {

    var pictures: [Picture] {
        var table = ActivityTable()
        let page = table.firstPage()
        table.follow(true)
        table.take(Samples.activity, for: page)
        return [picture(table)]
    }

    private func picture(_ table: ActivityTable) -> Picture {
        let headings = [
            Table.Heading(title: localized("Time"), width: 156, mayCut: false),
            Table.Heading(title: localized("Client"), width: 106),
            Table.Heading(title: localized("What"), width: 186), Table.Heading(title: localized("Connection"), width: 106),
            Table.Heading(title: localized("Result"), width: 206),
        ]
        let rows = table.rows.map { row in
            [
                Table.Cell(row.time.map(ActivityScreen.instant) ?? ""), Table.Cell(row.who), Table.Cell(row.what),
                Table.Cell(row.on),
                Table.Cell(row.resultLine, symbol: symbol(row.weight)),
            ]
        }
        let bar = Row(
            spacing: 8,
            [
                Fixed(Typeface.body.width(localized("Follow")) + 24, Checkbox(localized("Follow"), isOn: table.isFollowing)),
                Spacer(),
                Button(localized("Verify…")),
            ])
        let content = Column(
            spacing: 0,
            [
                Padding(10, 10, filters), Rule(), Table(headings, rows: rows, height: 24 * 14, selected: 1, isBare: true), Rule(),
                Padding(10, 10, bar),
            ])
        return Picture(
            name: "activity", chrome: SettingsWindow.chrome(2), width: SettingsWindow.width, content: content,
            description: "Settings, Activity")
    }

    private var filters: Row {
        // A pop-up of a filter is as wide as its longest choice in English; longer ones are cut as
        // the system cuts them.
        Row(
            spacing: 8,
            [
                PopUp(localized("All Categories"), of: ActivityCategory.allCases.map(\.label)),
                PopUp(localized("All Outcomes"), of: ActivityOutcome.allCases.map(\.label)),
                PopUp(ActivityTable.Span.always.label, of: ActivityTable.Span.allCases.map(\.label)),
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

    /// As British English has it; the app shows it in the reader's own way.
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

    private static let activityRows = [
        row(1_284, "12:00:07", "query", "execute_query", "success", client: "Claude Code", on: 0, rows: 42, milliseconds: 12.4),
        row(
            1_283, "11:59:58", "query", "execute_query", "denied", client: "Claude Code", on: 0,
            reason: "This connection is read only for external clients, and UPDATE writes."),
        row(1_282, "11:59:51", "tool", "describe_table", "success", client: "Claude Code", on: 0, milliseconds: 8.1),
        row(1_281, "11:59:50", "tool", "list_connections", "success", client: "Claude Code"),
        row(1_280, "11:42:12", "access", "pairing_approved", "success", client: "Query Notebook"),
        row(1_279, "11:40:02", "query", "execute_query", "success", client: "Cursor", on: 1, rows: 250, milliseconds: 1_840),
        row(
            1_277, "11:38:30", "query", "confirm_destructive_operation", "success", client: "Cursor", on: 1, rows: 1,
            milliseconds: 96),
        row(1_275, "11:31:09", "auth", "authenticate", "rate_limited", count: 17, reason: "locked out"),
        row(1_274, "11:31:04", "auth", "authenticate", "denied", reason: "unknown token"),
        row(
            1_273, "11:05:44", "admin", "connection_changed", "success",
            client: "sallyport (process 4242, started by zsh) on /dev/ttys001", on: 1),
        row(1_272, "10:58:01", "query", "export_data", "error", client: "Zed", on: 2, milliseconds: 30_004),
        row(1_271, "10:57:12", "resource", "tables", "success", client: "Zed", on: 2, milliseconds: 21),
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
            {"number":\(number),"time":"2026-11-20T\(clock).000Z","kind":"event","category":"\(category)","action":"\(action)",
            "outcome":"\(outcome)","fate":null,"attempt":null,"principal":null,"tokenName":null,"client":\(word(client)),
            "connection":\(connection),"statementHash":null,"rows":\(digits(rows)),"durationMilliseconds":\(digits(milliseconds)),
            "reason":\(word(reason)),"requestId":null,"count":\(count)}
            """
    }
}
