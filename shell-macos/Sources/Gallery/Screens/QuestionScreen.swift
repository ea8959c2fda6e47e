import ShellRules

/// A question to the person: short, long, read to its end, answered elsewhere, and about a first
/// use.
struct QuestionScreen {

    var pictures: [Picture] {
        let short = Samples.question(
            "DELETE FROM carts", reason: [ReasonPart("DELETE without a WHERE removes every row of %@.", "carts")],
            tables: ["carts"],
            takes: StatementTakes(lines: [
                "deletes 500 rows of public.carts", "deletes 1,212 rows of public.items, by a foreign key",
            ]))
        let long = Samples.question(
            Samples.longStatement, reason: [ReasonPart("%@ removes objects and what they hold.", "DROP TABLE")],
            tables: Samples.droppedTables,
            client: "An agent that calls itself by \u{202e}many words",
            takes: StatementTakes(
                lines: [
                    "drops 23 tables of archive (1,204,311 rows)",
                    "drops the view public.last_orders, which depends on archive.orders_2023",
                ],
                note: "12 of the tables could not be counted in time; the server's estimate stands for them."))
        var read = sheet(long)
        _ = read.handle(.endShown, at: Samples.now)
        var seen = sheet(short)
        _ = seen.handle(.endShown, at: Samples.now)
        var ended = seen
        _ = ended.handle(.withdrawn(.no), at: Samples.now)
        return [
            picture("question", seen, "as it opens"),
            picture("question-long", sheet(long), "with a statement that has not been read to its end"),
            picture("question-long-read", read, "with its end read", position: 1),
            picture("question-ended", ended, "after it was answered elsewhere"),
            picture("question-first-use", sheet(Samples.firstUse()), "about the first use of a connection"),
        ]
    }

    private func sheet(_ view: ApprovalView) -> QuestionSheet {
        QuestionSheet(view, at: Samples.moment("2026-11-20T12:00:00.000Z", uptimeSeconds: 992))
    }

    private func picture(_ name: String, _ sheet: QuestionSheet, _ state: String, position: Double = 0) -> Picture {
        let ideal = sheet.statementRows.isEmpty ? 0 : boxHeight(sheet)
        let whole = content(sheet, boxHeight: ideal, position)
        // If a window is too high for a small screen, the box shrinks to its minimum.
        let over = max(0, whole.height(within: QuestionSheet.windowWidth) - sheet.windowHeight)
        let content = over == 0 ? whole : content(sheet, boxHeight: max(96, ideal - over), position)
        // The rules rely on this measure: a smaller window would cut off its buttons.
        let measured = content.height(within: QuestionSheet.windowWidth)
        guard measured <= sheet.windowHeight else {
            fatalError("\(name) is \(measured) high, and its window \(sheet.windowHeight)")
        }
        return Picture(
            name: name, chrome: .window(title: localized("Question from a Client")), width: QuestionSheet.windowWidth,
            content: content,
            description: "The question \(state)")
    }

    private func boxHeight(_ sheet: QuestionSheet) -> Double {
        let rows = statementRows(sheet.statementRows).height(within: 504)
        return min(max(96, rows + 16), QuestionSheet.statementHeight(sheet.statementRows))
    }

    private func content(_ sheet: QuestionSheet, boxHeight: Double, _ position: Double) -> Column {
        let heading = Row(spacing: 8, alignment: .top, [Dot(tint: .orange), Emphasis(parts: sheet.titleParts)])
        var parts: [any Element] = [Padding(20, 20, Column(spacing: 12, [heading, factGrid(sheet.facts)]))]
        if !sheet.statementRows.isEmpty {
            let rows = statementRows(sheet.statementRows)
            parts.append(Padding(20, 0, Scrolled(rows, height: boxHeight, position: position, fill: .code, inset: 8)))
            parts.append(Padding(0, 6, Column([])))
        }
        return Column(spacing: 0, [Column(spacing: 0, parts), decisionBar(sheet, at: Samples.now)])
    }
}
