import Foundation

/// The size of each window, in points. Texts are counted, so that AppKit knows the size before it
/// lays out the content. It draws nothing.
public enum WindowSize {
    static let buttons = 28.0
    /// At most two lines, and the gap above the buttons.
    static let remark = 46.0
    /// The height of a small screen without its menu bar and the window's title.
    static let most = 680.0

    public static func notice(_ sentence: String) -> CGSize { of(380, [sentence], foot: 4 + buttons) }

    /// - Parameters:
    ///   - texts: one below another, above the changes.
    ///   - foot: the height of everything below.
    static func of(
        _ width: Double, _ texts: [String], changes: [Fact] = [], foot: Double, beside: Double = 0
    ) -> CGSize {
        let inner = width - 40 - beside
        let words = texts.reduce(0) { $0 + text($1, inner) + 12 }
        let box = changes.isEmpty ? 0 : min(max(96, grid(changes, inner - 16) + 20), 220) + 12
        return CGSize(width: width, height: min(40 + words + box + foot, most))
    }

    static func width(_ changes: [Fact]) -> Double { changes.isEmpty ? 420 : 520 }

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
        case .desk: CGSize(width: DeskList.cardWidth + DeskList.listWidth, height: 600)
        case .notice, .prompt: nil
        }
    }
}

extension DeskList {
    /// The row of buttons is long, most of all in German.
    public static let cardWidth = 660.0
    /// It is beside the card from the beginning, so nothing moves under a click.
    public static let listWidth = 240.0
}

extension ConfirmationPrompt {
    public var windowSize: CGSize {
        WindowSize.of(
            WindowSize.width(changes), [title, sentence], changes: changes, foot: WindowSize.remark + WindowSize.buttons)
    }
}

extension PassphrasePrompt {
    public var windowSize: CGSize {
        let foot = 36 + WindowSize.remark + WindowSize.buttons
        return WindowSize.of(WindowSize.width(changes), [sentence, request], changes: changes, foot: foot, beside: 50)
    }
}
