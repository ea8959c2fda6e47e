import ShellRules

/// A question to the user: short, long, read to its end, after it was answered elsewhere, and about a first use.
struct QuestionScreen {

    var pictures: [Picture] {
        let short = Samples.question(
            "DELETE FROM carts", reason: "DELETE without a WHERE removes every row of carts.", tables: ["carts"])
        let long = Samples.question(
            Samples.longStatement, reason: "DROP TABLE removes objects and what they hold.", tables: Samples.droppedTables,
            client: "An agent that calls itself by \u{202e}many words")
        var read = sheet(long)
        _ = read.handle(.endShown, at: Samples.now)
        var seen = sheet(short)
        _ = seen.handle(.endShown, at: Samples.now)
        var ended = seen
        _ = ended.handle(.withdrawn(ApprovalWithdrawn(elsewhere: short.id)), at: Samples.now)
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
        let now = Samples.now
        let heading = Label(sheet.title, .headline, breaking: .words)
        var parts: [any Element] = [Padding(20, 20, Column(spacing: 12, [heading, factGrid(sheet.facts)]))]
        if let statement = sheet.statement {
            let code = Label(statement, .code, breaking: .anywhere)
            let height = min(max(96, code.height(within: 504) + 16), 180)
            parts.append(Padding(20, 0, Scrolled(code, height: height, position: position, fill: .code, inset: 8)))
            parts.append(Padding(0, 6, Column([])))
        }
        let content = Column(
            spacing: 0,
            [
                Column(spacing: 0, parts),
                decisionBar(sheet, at: now),
            ])
        // The rules count what is measured here: a window that opens smaller would cut off its buttons.
        let measured = content.height(within: QuestionSheet.windowWidth)
        guard measured <= sheet.windowHeight else {
            fatalError("\(name) is \(measured) high, and its window \(sheet.windowHeight)")
        }
        return Picture(
            name: name, chrome: .window(title: localized("Question from a Client")), width: QuestionSheet.windowWidth,
            content: content,
            description: "The question \(state)")
    }
}

extension ApprovalWithdrawn {
    fileprivate init(elsewhere id: String) {
        self = Samples.read(#"{"id":"\#(id)","because":"no"}"#)
    }
}
