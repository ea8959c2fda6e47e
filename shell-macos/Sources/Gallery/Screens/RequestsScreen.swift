import ShellRules

/// Refused requests of AI clients: one as it opens, one that was read and runs several times,
/// several as one choice, and answered ones.
struct RequestsScreen {
    var pictures: [Picture] {
        let write = Samples.request(
            3, "UPDATE carts\nSET note = 'checked'\nWHERE owner = 7",
            reason: [ReasonPart("%@ changes the rows its WHERE picks.", "UPDATE")],
            tables: ["carts"],
            lacks: .connectionLevel, takes: ["changes 12 rows of public.carts"])
        let migration = [
            Samples.request(
                1, "CREATE TABLE notes (id integer PRIMARY KEY, note text)",
                reason: [ReasonPart("%@ adds a definition and keeps what is there.", "CREATE TABLE")],
                tables: ["notes"],
                lacks: .tokenScope, takes: []),
            Samples.request(
                2, "DROP TABLE carts CASCADE", class: .destructive,
                reason: [ReasonPart("%@ removes objects and what they hold.", "DROP TABLE")],
                tables: ["carts"], lacks: .yes, runsBy: .owner,
                takes: ["drops public.carts (500 rows)", "drops the view public.open_carts, which depends on public.carts"]),
        ]
        var read = list([write])
        _ = read.handle(.endShown(of: read.reading), at: Samples.now)
        _ = read.handle(.choseTimes(5), at: Samples.now)
        var several = list(migration + [write])
        for request in migration { _ = several.handle(.ticked(id: request.id, true), at: Samples.now) }
        return [
            picture("requests", list([write]), "with one request, as it opens"),
            picture("requests-read", read, "with one request that was read, to be allowed five times", position: 1),
            picture("requests-several", several, "with two of three chosen"),
            picture(
                "requests-answered", RequestList([], outcome: localized("Refused. A client that asks again is told so.")),
                "when nothing waits"),
        ]
    }

    /// The rows of each statement are counted.
    private func list(_ requests: [AccessRequestView]) -> RequestList {
        var list = RequestList(requests)
        _ = list.handle(.opened(requests), at: Samples.now)
        return list
    }

    private func picture(_ name: String, _ list: RequestList, _ state: String, position: Double = 0) -> Picture {
        var parts: [any Element] = [Label(list.title, .headline, breaking: .words)]
        if list.hasRows { parts.append(rows(list)) }
        if !list.chosen.isEmpty {
            let content = Column(
                spacing: 2,
                list.chosen.map { request in
                    Padding(8, 8, Column(spacing: 8, [factGrid(request.facts), statementRows(request.statementRows)]))
                })
            parts.append(Scrolled(content, height: 300, position: position, fill: .code, inset: 8))
        }
        parts.append(Rule())
        if let sentence = list.remark { parts.append(remark(sentence, isProblem: false)) }
        if let label = list.levelsLabel {
            parts += [Label(label, breaking: .words), Row(spacing: 8, [Spacer()] + choiceButtons(list.levels))]
        }
        if list.mayRunOften {
            let times = PopUp(RequestList.label(ofTimes: list.times), of: RequestList.timesToChoose.map(RequestList.label))
            parts.append(Row(spacing: 8, [Label(localized("Each may run")), times, Spacer()]))
        }
        parts.append(Row(spacing: 8, [Spacer()] + choiceButtons(list.choices)))
        return Picture(
            name: name, chrome: .window(title: localized("Refused Requests")), width: RequestList.windowWidth,
            content: Padding(20, 20, Column(spacing: 12, parts)), description: "The window of refused requests \(state)")
    }

    private func rows(_ list: RequestList) -> Column {
        let all = Checkbox(localized("All of them"), isOn: list.areAllChosen)
        let rows = list.rows.map { row in
            Column(
                spacing: 2,
                [
                    Checkbox(row.title, isOn: row.isChosen, isOurs: false),
                    Padding(20, 0, Label(row.detail, .small, .secondary, breaking: .cut)),
                ])
        }
        return Column(spacing: 6, [all] + rows)
    }
}
