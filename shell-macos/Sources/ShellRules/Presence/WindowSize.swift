import Foundation

/// The size of each window, in points. Texts are counted, so that AppKit knows the size before it
/// lays out the content. It draws nothing.
public enum WindowSize {
    static let buttons = 28.0
    /// At most two lines, and the gap above the buttons.
    static let remark = 46.0
    static let bar = 1 + 32 + remark + buttons

    public static func notice(_ sentence: String) -> CGSize { of(380, [sentence], foot: 4 + buttons) }

    /// - Parameters:
    ///   - texts: one below another, above the changes.
    ///   - foot: the height of everything below.
    static func of(
        _ width: Double, _ texts: [String], facts: [Fact] = [], changes: [Fact] = [], foot: Double, beside: Double = 0
    ) -> CGSize {
        let inner = width - 40 - beside
        let words = texts.reduce(0) { $0 + text($1, inner) + 12 }
        let box = changes.isEmpty ? 0 : min(max(96, grid(changes, inner - 16) + 20), 220) + 12
        return CGSize(width: width, height: min(40 + words + grid(facts, inner) + box + foot, QuestionSheet.mostHeight))
    }

    static func width(_ changes: [Fact]) -> Double { changes.isEmpty ? 420 : 520 }

    /// - Parameter size: includes the buttons. A passphrase field may replace them.
    static func with(_ deciding: Deciding?, _ size: CGSize) -> CGSize {
        guard case .passphrase(_, let wanted) = deciding?.phase else { return size }
        let asked = PassphrasePrompt(wanted).size(in: size.width).height
        return CGSize(width: size.width, height: min(size.height - bar + asked, QuestionSheet.mostHeight + 80))
    }

    private static func text(_ text: String, _ width: Double) -> Double {
        17 * Double(TextRoom.lines(text, within: width, isBold: true))
    }

    private static func grid(_ facts: [Fact], _ width: Double) -> Double {
        let labels = facts.map { TextRoom.width($0.label + ":") }.max() ?? 0
        // A claim has a small line below.
        return facts.reduce(0) { $0 + text($1.value, width - labels - 8) + ($1.standing == .claim ? 18 : 0) + 6 }
    }
}

extension ShellState {
    /// Nil for a window that the state has no size for.
    public func size(of window: Presence.Window) -> CGSize? {
        switch window {
        case .settings: CGSize(width: 760, height: 560)
        case .firstRun: CGSize(width: 520, height: 560)
        case .requests: CGSize(width: RequestList.windowWidth, height: 560)
        case .question:
            WindowSize.with(
                questions.current?.deciding,
                CGSize(width: QuestionSheet.windowWidth, height: questions.current?.windowHeight ?? 320))
        case .pairing: WindowSize.with(pairings.current?.deciding, PairingSheet.windowSize)
        case .confirmation: confirmations.current.map { WindowSize.with($0.deciding, $0.windowSize) }
        case .notice, .prompt: nil
        }
    }
}

extension PairingSheet {
    public static let formHeight = 460.0
    public static var windowSize: CGSize { CGSize(width: 480, height: formHeight + WindowSize.bar) }
}

extension ConfirmationSheet {
    package var windowSize: CGSize {
        WindowSize.of(520, [title, sentence, advice], facts: facts, changes: changes, foot: WindowSize.bar)
    }
}

extension ConfirmationPrompt {
    public var windowSize: CGSize {
        WindowSize.of(
            WindowSize.width(changes), [title, sentence], changes: changes, foot: WindowSize.remark + WindowSize.buttons)
    }
}

extension PassphrasePrompt {
    public var windowSize: CGSize { size(in: WindowSize.width(changes), beside: 50) }

    func size(in width: Double, beside: Double = 0) -> CGSize {
        let fields = isFirst ? 72.0 : 36
        let foot = fields + WindowSize.remark + WindowSize.buttons
        return WindowSize.of(width, [sentence, request], changes: changes, foot: foot, beside: beside)
    }
}
