import Foundation

/// How large each window opens, in points: texts are counted, as those of a question are, so that AppKit knows a window's size before
/// anything is laid out in it. Draws nothing.
extension ShellState {
    /// Nil for windows that are of one sentence, or of none of the state's.
    public func size(of window: Presence.Window) -> CGSize? {
        switch window {
        case .settings: CGSize(width: 760, height: 560)
        case .requests: CGSize(width: RequestList.windowWidth, height: 560)
        case .question:
            CGSize(
                width: QuestionSheet.windowWidth,
                height: questions.current.map { WindowSize.with($0.deciding, $0.windowHeight, QuestionSheet.windowWidth) } ?? 320)
        case .pairing:
            CGSize(
                width: PairingSheet.windowWidth,
                height: WindowSize.with(
                    pairings.current?.deciding, PairingSheet.formHeight + 1 + WindowSize.bar, PairingSheet.windowWidth))
        case .confirmation: confirmations.current?.windowSize
        case .notice, .prompt: nil
        }
    }
}

extension PairingSheet {
    public static let windowWidth = 480.0
    public static let formHeight = 460.0
}

extension ConfirmationSheet {
    public var windowSize: CGSize {
        let width = WindowSize.wide
        let texts = [sentence, advice].map { WindowSize.text($0, width - 40) + 12 }.reduce(0, +)
        let head = 40 + WindowSize.text(title, width - 40, isBold: true) + 12 + texts + WindowSize.grid(facts, width - 40)
        let box = changes.isEmpty ? 0 : WindowSize.box(changes, width - 40) + 12
        return CGSize(width: width, height: WindowSize.with(deciding, head + box + 1 + WindowSize.bar, width))
    }
}

extension ConfirmationPrompt {
    public var windowSize: CGSize {
        let width = WindowSize.width(changes)
        let texts = WindowSize.text(title, width - 40, isBold: true) + 12 + WindowSize.text(sentence, width - 40) + 12
        let box = changes.isEmpty ? 0 : WindowSize.box(changes, width - 40) + 12 + WindowSize.remark
        return CGSize(width: width, height: min(40 + texts + box + WindowSize.buttons, QuestionSheet.mostHeight))
    }
}

extension PassphrasePrompt {
    public var windowSize: CGSize {
        let width = WindowSize.width(changes)
        // A lock stands beside it.
        return CGSize(width: width, height: min(40 + WindowSize.passphrase(self, width - 96), QuestionSheet.mostHeight))
    }
}

/// Of a window that says one sentence, and what the sizes are put together from.
public enum WindowSize {
    public static func notice(_ sentence: String) -> CGSize {
        CGSize(width: 380, height: min(40 + text(sentence, 340) + 16 + buttons, QuestionSheet.mostHeight))
    }

    static let wide = 520.0
    static let buttons = 28.0
    /// Of at most two lines.
    static let remark = 34.0 + 12
    static let bar = 16 + remark + buttons + 16

    static func width(_ changes: [Fact]) -> Double { changes.isEmpty ? 420 : wide }

    static func text(_ text: String, _ width: Double, isBold: Bool = false) -> Double {
        17 * Double(TextRoom.lines(text, within: width, isBold: isBold))
    }

    static func grid(_ facts: [Fact], _ width: Double) -> Double {
        let labels = facts.map { TextRoom.width($0.label + ":") }.max() ?? 0
        // A claim has a small line below it.
        return facts.reduce(0) { $0 + text($1.value, width - labels - 8) + ($1.standing == .claim ? 18 : 0) + 6 }
    }

    /// What is longer scrolls.
    static func box(_ facts: [Fact], _ width: Double) -> Double { min(max(96, grid(facts, width - 16) + 20), 220) }

    static func passphrase(_ prompt: PassphrasePrompt, _ width: Double) -> Double {
        let texts = text(prompt.sentence, width) + 12 + text(prompt.request, width) + 12
        let changes = prompt.changes.isEmpty ? 0 : box(prompt.changes, width) + 12
        return texts + changes + (prompt.isFirst ? 2 : 1) * 36 + remark + buttons
    }

    /// - Parameter height: with the buttons at its foot, where a passphrase may be asked for in their place.
    static func with(_ deciding: Deciding?, _ height: Double, _ width: Double) -> Double {
        guard case .passphrase(_, let wanted) = deciding?.phase else { return min(height, QuestionSheet.mostHeight) }
        return min(height - bar + 32 + passphrase(PassphrasePrompt(wanted), width - 32), QuestionSheet.mostHeight + 80)
    }
}
