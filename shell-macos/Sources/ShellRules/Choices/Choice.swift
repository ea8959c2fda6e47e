/// One button under what a person decides on: what it says, what its press answers, which keys
/// press it, and whether it may be pressed. The views draw these in a loop and add nothing.
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
}

extension [Choice<Bool>] {
    /// A yes that no key gives, and a no that Return and Esc give.
    static func yesOrNo(yes: String, _ state: ButtonState, no: String) -> Self {
        [Choice(yes, true, state), Choice(no, false, keys: [.returnKey, .escape])]
    }
}
