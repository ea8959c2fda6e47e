/// One button of a decision: its label, its answer, its keys and its state. The views draw these in
/// a loop and add nothing.
public struct Choice<Answer: Equatable & Sendable>: Equatable, Identifiable, Sendable {
    public let label: String
    public let answer: Answer
    public let keys: Set<ChoiceKey>
    public let state: ButtonState

    public var id: String { label }

    init(_ label: String, _ answer: Answer, keys: Set<ChoiceKey> = [], _ state: ButtonState = .enabled) {
        (self.label, self.answer, self.keys, self.state) = (label, answer, keys, state)
    }
}

public enum ChoiceKey: Equatable, Sendable {
    case returnKey, escape
    /// Return with Command.
    case commandReturn
}

extension [Choice<Bool>] {
    /// An approval by Command-Return, and a denial by Return and Esc.
    static func yesOrNo(yes: String, _ state: ButtonState, no: String) -> Self {
        [Choice(yes, true, keys: [.commandReturn], state), Choice(no, false, keys: [.returnKey, .escape])]
    }
}
