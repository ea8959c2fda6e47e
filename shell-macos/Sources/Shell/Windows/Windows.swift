import AppKit
import ShellRules
import SwiftUI

/// The windows that open by themselves: pairing, question, notice. When, and what they show, is in `ShellState`.
@MainActor
final class Windows {
    weak var model: ShellModel?
    private var windows: [Presence.Window: KeptWindow] = [:]

    func show(_ kind: Presence.Window) {
        guard let model else { return }
        switch kind {
        case .settings: OpeningSettings.fromApplicationMenu()
        // Asked for by a link that the user opened: it comes to the front with the keys.
        case .pairing: show(kind, PairingWindow(model: model), title: localized("Pairing Request"), isUrgent: true)
        // Comes unasked: it stands in front, and takes no keys that are meant for another app.
        case .question: show(kind, QuestionWindow(model: model), title: localized("Question from a Client"), isUrgent: false)
        case .confirmation: model.confirmationWindow.comeToFront()
        case .notice, .prompt: break
        }
    }

    func close(_ kind: Presence.Window) {
        windows.removeValue(forKey: kind)?.close()
    }

    func tell(_ sentence: String) {
        close(.notice)
        show(
            .notice, NoticeView(sentence: sentence) { [weak self] in self?.close(.notice) }, title: localized("Sallyport"),
            isUrgent: true)
    }

    private func show(_ kind: Presence.Window, _ content: some View, title: String, isUrgent: Bool) {
        let window = windows[kind] ?? make(kind, content, title)
        windows[kind] = window
        model?.send(.presence(.opened(kind)))
        if isUrgent { window.comeToFront() } else { window.standInFront() }
    }

    private func make(_ kind: Presence.Window, _ content: some View, _ title: String) -> KeptWindow {
        let window = KeptWindow(content, title: title, size: kind == .question ? questionSize : nil)
        window.onCameToFront = { [weak self] in self?.cameToFront(kind) }
        window.onClosing = { [weak self] in self?.mayClose(kind) ?? true }
        window.onClosed = { [weak self] in
            self?.windows[kind] = nil
            self?.model?.send(.presence(.closed(kind)))
        }
        return window
    }

    private var questionSize: NSSize {
        NSSize(width: QuestionSheet.windowWidth, height: model?.state.questions.current?.windowHeight ?? 320)
    }

    private func cameToFront(_ kind: Presence.Window) {
        switch kind {
        case .pairing: model?.send(.pairing(.cameToFront))
        case .question: if let id = model?.state.questions.current?.id { model?.send(.question(id: id, .cameToFront)) }
        case .settings, .notice, .confirmation, .prompt: break
        }
    }

    /// A press on the close button is an event like another; the state then has the window closed, or not yet.
    private func mayClose(_ kind: Presence.Window) -> Bool {
        switch kind {
        case .pairing where model?.state.pairings.current != nil:
            model?.send(.pairing(.closed))
            return false
        case .question:
            guard let id = model?.state.questions.current?.id else { return true }
            model?.send(.question(id: id, .closed))
            return false
        case .settings, .notice, .pairing, .confirmation, .prompt: return true
        }
    }
}
