/// The text of the sheet for another program's request (spec §11), escaped.
public typealias ConfirmationSheet = AnswerSheet<ConfirmationView>

extension ConfirmationView: AskedView {
    public typealias Decision = ConfirmationDecision
    public static let window = Presence.Window.confirmation

    public var title: String { localized("A program on this Mac asks to give AI clients more access.") }
    public var hasText: Bool { !facts.isEmpty }
    public var unreadSentence: String { [Fact].unreadSentence }
    public var approveLabel: String { localized("Allow") }
    public var denyLabel: String { localized("Don’t Allow") }

    public func decide(_ verdict: Verdict) -> Command.ConfirmationsDecide {
        Command.ConfirmationsDecide(id: id, answer: verdict == .approve ? .yes : .no)
    }
}

extension ConfirmationSheet {
    /// What would happen.
    public var sentence: String { ShownText.oneLine(view.sentence) }

    /// What would change.
    public var changes: [Fact] { view.facts.shown }

    public var facts: [Fact] { [.claim("Asked by", ShownText.name(view.shell))] }

    public var advice: String { localized("Allow it only if you have just asked for this yourself, for example in a terminal.") }
}
