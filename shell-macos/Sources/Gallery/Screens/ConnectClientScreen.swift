import ShellRules

/// The sheet Connect a Client, for each of its four kinds of clients.
struct ConnectClientScreen {

    var pictures: [Picture] {
        ConnectClientSheet.Kind.allCases.map { kind in
            var sheet = ConnectClientSheet(kind: kind, port: 27_432)
            sheet.take(.success(Samples.snippets))
            return picture("connect-\(kind.rawValue)", sheet)
        }
    }

    private func picture(_ name: String, _ sheet: ConnectClientSheet) -> Picture {
        let kinds = ConnectClientSheet.Kind.allCases
        let steps = Column(spacing: 14, sheet.steps.map(step))
        let content = Column(
            spacing: 14,
            [
                Label(localized("Connect a Client"), .headline),
                Segments(labels: kinds.map(\.label), chosen: kinds.firstIndex(of: sheet.kind) ?? 0),
                Label(sheet.kind.explanation, .body, .secondary, breaking: .words),
                Scrolled(steps, height: 314, isBare: true, inset: 0), Row([Spacer(), Button(localized("Done"), .standard)]),
            ])
        return Picture(
            name: name, chrome: .sheet, width: 560, content: Padding(20, 20, content),
            description: "Connect a Client: \(sheet.kind.label)")
    }

    private func step(_ step: ConnectClientSheet.Step) -> any Element {
        let words = Label(step.text, breaking: .words)
        let snippet: [any Element] =
            step.snippet.map { snippet in
                let text = Label(snippet, Typeface(size: 11, isMonospaced: true), breaking: .anywhere)
                return [Card([Row(spacing: 8, alignment: .top, [text, Button(localized("Copy"), .small)])], fill: .code)]
            } ?? []
        return Row(
            spacing: 8, alignment: .top,
            [
                Fixed(18, Label("\(step.number).", .body, .secondary)), Column(spacing: 6, [words] + snippet),
            ])
    }
}
