import ShellRules

/// The tables that a statement touches, and its text.
func statementRows(_ rows: [StatementRow]) -> Column {
    Column(
        spacing: 2,
        rows.map { row in
            switch row.kind {
            case .takes: ours(Glyph.minus, row.text)
            case .notCounted: ours(Glyph.warning, row.text)
            case .line, .continued: Label(row.text, .code, breaking: .anywhere)
            case .blanks: ours(Glyph.more, row.text)
            }
        })
}

private func ours(_ glyph: String, _ text: String) -> Row {
    Row(spacing: 6, alignment: .top, [GlyphView(path: glyph, size: 15, tint: .secondary), Label(text, breaking: .anywhere)])
}
