/// The text of what waits (spec §10 to §12), escaped: who asks for what, the facts in drawing
/// order, and the statement as it would run.
extension AskView {
    /// Where, and who by their own name.
    var place: String {
        let client = ShownText.name(client)
        return connection.map { localized("\(ShownText.name($0.name)), \(client)") } ?? client
    }

    /// In the list: its statement on one line, or another wish.
    var line: String {
        let text = statement?.askedStatement.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.map(ShownText.name) ?? title.shown
    }

    /// Its rows are not counted. The daemon takes no yes to it.
    var isUncounted: Bool { !waits && !answers.contains(where: \.isYes) }

    /// But for how often it was asked.
    func isSame(as other: AskView) -> Bool {
        var view = other
        view.times = times
        return view == self
    }

    /// In drawing order. The statement is below them.
    public var shownFacts: [Fact] {
        let asked: [Fact] = waits ? [] : [.fact("Asked", AskSheet.label(ofTimes: times))]
        let values = statement?.statementContext.parameters.enumerated().map { at, value in
            Fact.fact("Value \(String(at + 1))", ShownText.oneLine(value))
        }
        return facts.shown + asked + (values ?? [])
    }

    /// Escaped. Empty if nothing is run.
    public var statementRows: [StatementRow] { statement.map { StatementRow.rows(of: $0.askedStatement) } ?? [] }
}

extension AskSheet {
    public var title: String { views.count == 1 ? views[0].title.shown : DeskList.refusedTitle }

    /// What would happen, below the title. Nil if the text says it.
    public var sentence: String? { views[0].sentence.map(ShownText.oneLine) }

    public var advice: String? {
        sentence.map { _ in
            localized("Allow it only if you have just asked for this yourself, for example in a terminal.")
        }
    }
}

extension DeskList {
    static var refusedTitle: String { localized("This was refused, and you may allow it.") }

    /// For VoiceOver, when the card has come unasked. Others may hear it, so no statement is in it.
    public var spoken: String {
        localized("\(sheet?.title ?? ""), \(sheet?.views[0].place ?? ""). Control-Option-Command-Y brings its window.")
    }

    /// While nothing is chosen.
    public var title: String { asks.isEmpty ? localized("Nothing waits for your answer.") : DeskList.refusedTitle }
    /// The same.
    public var remark: String? { outcome ?? (asks.isEmpty ? nil : localized("Choose one or several to answer them.")) }
    /// The same.
    public var leave: [Choice<Event>] {
        [Choice(asks.isEmpty ? localized("Close") : localized("Leave Waiting"), .left, keys: [.returnKey, .escape])]
    }

    public struct Row: Equatable, Identifiable, Sendable {
        public let id: String
        public let title: String
        public let detail: String
        public let isChosen: Bool
        /// It takes no answer any more.
        public let isOver: Bool
    }

    public var rows: [Row] {
        listed.enumerated().map { at, ask in
            let title = localized("\(String(at + 1)). \(ask.place)")
            let isChosen = sheet?.ids.contains(ask.id) == true
            let isOver = !asks.contains { $0.id == ask.id }
            return Row(id: ask.id, title: title, detail: ask.line, isChosen: isChosen, isOver: isOver)
        }
    }

    /// Several requests may be chosen together.
    public var mayChooseAll: Bool { requests.count > 1 }
    public var areAllChosen: Bool { requests.allSatisfy { sheet?.ids.contains($0.id) == true } }
}
