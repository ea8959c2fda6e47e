import AppKit
import ShellRules
import SwiftUI

/// The app's windows: Settings, pairing, question, notice. When, and what they show, is in
/// `ShellState`.
@MainActor
final class Windows {
    weak var model: ShellModel?
    private var windows: [Presence.Window: KeptWindow] = [:]
    private var settings: SettingsTabs?

    func show(_ kind: Presence.Window) {
        guard let model else { return }
        switch kind {
        // Asked for by a link that the user opened: it comes to the front with the keys.
        case .pairing:
            show(kind, isUrgent: true) { KeptWindow(PairingWindow(model: model), title: localized("Pairing Request")) }
        // Comes unasked: it stands in front, and takes no keys that are meant for another app.
        case .question:
            show(kind, isUrgent: false) {
                KeptWindow(QuestionWindow(model: model), title: localized("Question from a Client"), size: questionSize)
            }
        // Opened by the person.
        case .requests:
            show(kind, isUrgent: true) {
                KeptWindow(
                    RequestsWindow(model: model), title: localized("Refused Requests"),
                    size: NSSize(width: RequestList.windowWidth, height: 560))
            }
        case .confirmation: model.confirmationWindow.comeToFront()
        case .settings, .notice, .prompt: break
        }
    }

    func showSettings(_ pane: SettingsPane) {
        guard let model else { return }
        let tabs = settings ?? SettingsTabs(model)
        settings = tabs
        tabs.select(pane)
        show(.settings, isUrgent: true) {
            KeptWindow(tabs.controller, title: pane.label, size: NSSize(width: 760, height: 560), level: .normal)
        }
    }

    func close(_ kind: Presence.Window) {
        windows.removeValue(forKey: kind)?.close()
    }

    func tell(_ sentence: String) {
        close(.notice)
        show(.notice, isUrgent: true) {
            KeptWindow(NoticeView(sentence: sentence) { [weak self] in self?.close(.notice) }, title: localized("Sallyport"))
        }
    }

    private func show(_ kind: Presence.Window, isUrgent: Bool, _ make: () -> KeptWindow) {
        let window = windows[kind] ?? watched(make(), kind)
        windows[kind] = window
        model?.send(.presence(.opened(kind)))
        if isUrgent { window.comeToFront() } else { window.standInFront() }
    }

    private func watched(_ window: KeptWindow, _ kind: Presence.Window) -> KeptWindow {
        window.onCameToFront = { [weak self] in self?.cameToFront(kind) }
        window.onClosing = { [weak self] in self?.mayClose(kind) ?? true }
        window.onClosed = { [weak self] in
            self?.windows[kind] = nil
            // Its views end with it: opened again, it says what holds then.
            if kind == .settings { self?.settings = nil }
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
        case .settings, .notice, .confirmation, .prompt, .requests: break
        }
    }

    /// A press on the close button is an event like another; the state then has the window closed,
    /// or not yet.
    private func mayClose(_ kind: Presence.Window) -> Bool {
        switch kind {
        case .pairing where model?.state.pairings.current != nil:
            model?.send(.pairing(.closed))
            return false
        case .question:
            guard let id = model?.state.questions.current?.id else { return true }
            model?.send(.question(id: id, .closed))
            return false
        case .settings, .notice, .pairing, .confirmation, .prompt, .requests: return true
        }
    }
}
