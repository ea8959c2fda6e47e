import AppKit
import ShellRules
import SwiftUI

/// The app's windows: Settings, pairing, question, what another shell asks, notice. When, and what
/// they show, is in `ShellState`.
@MainActor
final class Windows {
    weak var model: ShellModel?
    private var windows: [Presence.Window: KeptWindow] = [:]
    private var settings: SettingsTabs?

    func show(_ kind: Presence.Window) {
        guard let model else { return }
        let size = model.state.size(of: kind) ?? .zero
        switch kind {
        // Asked for by a link that the user opened: it comes to the front with the keys.
        case .pairing:
            show(kind, isUrgent: true) { KeptWindow(PairingWindow(model: model), title: localized("Pairing Request"), size: size) }
        // Comes unasked: it stands in front, and takes no keys that are meant for another app.
        case .question:
            show(kind, isUrgent: false) {
                KeptWindow(
                    QuestionWindow(model: model), title: localized("Question from a Client"), size: size, .comesUnasked,
                    isResizable: true)
            }
        // Opened by the person.
        case .requests:
            show(kind, isUrgent: true) {
                KeptWindow(RequestsWindow(model: model), title: localized("Refused Requests"), size: size, isResizable: true)
            }
        case .confirmation:
            show(kind, isUrgent: false) {
                KeptWindow(ConfirmationWindow(model: model), title: localized("Confirm a Change"), size: size, .comesUnasked)
            }
        case .firstRun:
            UserDefaults.standard.set(true, forKey: ShellModel.firstRunKey)
            show(kind, isUrgent: true) {
                KeptWindow(FirstRunWindow(model: model), title: localized("Get Started"), size: size, .settings, isResizable: true)
            }
        case .settings, .notice, .prompt: break
        }
    }

    /// What they show may ask for another size.
    func follow() {
        for (kind, window) in windows {
            if let size = model?.state.size(of: kind) { window.fit(size) }
        }
    }

    func isInSight(_ kind: Presence.Window) -> Bool { windows[kind]?.isInSight == true }

    func showSettings(_ pane: SettingsPane) {
        guard let model else { return }
        let tabs = settings ?? SettingsTabs(model)
        settings = tabs
        tabs.select(pane)
        show(.settings, isUrgent: true) {
            KeptWindow(
                tabs.controller, title: pane.label, size: model.state.size(of: .settings) ?? .zero, .settings, isResizable: true)
        }
    }

    func close(_ kind: Presence.Window) {
        windows.removeValue(forKey: kind)?.close()
    }

    func tell(_ sentence: String) {
        close(.notice)
        show(.notice, isUrgent: true) {
            KeptWindow(
                NoticeView(sentence: sentence) { [weak self] in self?.close(.notice) }, title: localized("Sallyport"),
                size: WindowSize.notice(sentence))
        }
    }

    private func show(_ kind: Presence.Window, isUrgent: Bool, _ make: () -> KeptWindow) {
        let window = windows[kind] ?? watched(make(), kind)
        windows[kind] = window
        model?.send(.presence(.opened(kind)))
        if isUrgent { window.comeToFront() } else { window.standInFront() }
    }

    private func watched(_ window: KeptWindow, _ kind: Presence.Window) -> KeptWindow {
        window.onCameToFront = { [weak self] in _ = self?.tell(self?.event(of: kind, isClosing: false)) }
        window.onSeen = { [weak self] in self?.model?.send(.seen(kind)) }
        window.onClosing = { [weak self] in self?.tell(self?.event(of: kind, isClosing: true)) != true }
        window.onClosed = { [weak self] in
            self?.windows[kind] = nil
            // Its views end with it: opened again, it says what holds then.
            if kind == .settings { self?.settings = nil }
            self?.model?.send(.presence(.closed(kind)))
        }
        return window
    }

    /// For the sheet that it draws, where it draws one: a press on the close button is an event
    /// like another, and the state has the window closed then, or not yet.
    private func event(of kind: Presence.Window, isClosing: Bool) -> ShellEvent? {
        guard let state = model?.state else { return nil }
        return switch kind {
        case .pairing: state.pairings.current.map { _ in .pairing(isClosing ? .closed : .cameToFront) }
        case .question: state.questions.current.map { .question(id: $0.id, isClosing ? .closed : .cameToFront) }
        case .confirmation: state.confirmations.current.map { .confirmation(id: $0.id, isClosing ? .closed : .cameToFront) }
        case .settings, .firstRun, .notice, .prompt, .requests: nil
        }
    }

    /// - Returns: whether there was one.
    private func tell(_ event: ShellEvent?) -> Bool {
        if let event { model?.send(event) }
        return event != nil
    }
}
