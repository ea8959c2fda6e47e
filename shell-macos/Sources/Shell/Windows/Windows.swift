import AppKit
import ShellRules
import SwiftUI

/// The app's windows. `ShellState` decides when they open and what they show.
@MainActor
final class Windows {
    weak var model: ShellModel?
    private var windows: [Presence.Window: KeptWindow] = [:]
    private var settings: SettingsTabs?

    func show(_ kind: Presence.Window) {
        guard let model else { return }
        switch kind {
        case .desk: showDesk()
        case .firstRun:
            UserDefaults.standard.set(true, forKey: ShellModel.firstRunKey)
            let size = model.state.size(of: kind) ?? .zero
            show(kind) {
                KeptWindow(
                    FirstRunWindow(model: model), title: localized("Get Started"), size: size, .settings, isResizable: true)
            }
        case .settings, .notice, .prompt: break
        }
    }

    /// - Parameter isUnasked: the person has not just asked for it.
    func showDesk(isUnasked: Bool = false) {
        guard let model else { return }
        let size = model.state.size(of: .desk) ?? .zero
        show(.desk, unasked: isUnasked ? model.state.desk.spoken : nil) {
            KeptWindow(
                DeskWindow(model: model), title: localized("Waiting for You"), size: size, .comesUnasked, isResizable: true)
        }
    }

    func isInSight(_ kind: Presence.Window) -> Bool { windows[kind]?.isInSight == true }

    func showSettings(_ pane: SettingsPane) {
        guard let model else { return }
        let tabs = settings ?? SettingsTabs(model)
        settings = tabs
        tabs.select(pane)
        let size = model.state.size(of: .settings) ?? .zero
        show(.settings) { KeptWindow(tabs.controller, title: pane.label, size: size, .settings, isResizable: true) }
    }

    func close(_ kind: Presence.Window) {
        windows.removeValue(forKey: kind)?.close()
    }

    func tell(_ sentence: String) {
        close(.notice)
        let notice = NoticeView(sentence: sentence) { [weak self] in self?.close(.notice) }
        show(.notice) { KeptWindow(notice, title: localized("Sallyport"), size: WindowSize.notice(sentence)) }
    }

    /// A window that a person asked for comes to the front with the keys. A window that comes
    /// unasked stands in front and takes no keys that are meant for another app.
    private func show(_ kind: Presence.Window, unasked spoken: String? = nil, _ make: () -> KeptWindow) {
        let window = windows[kind] ?? watched(make(), kind)
        windows[kind] = window
        model?.send(.presence(.opened(kind)))
        if let spoken { window.standInFront(spoken: spoken) } else { window.comeToFront() }
    }

    private func watched(_ window: KeptWindow, _ kind: Presence.Window) -> KeptWindow {
        window.onCameToFront = { [weak self] in _ = self?.tell(self?.event(of: kind, isClosing: false)) }
        window.onSeen = { [weak self] in self?.model?.send(.seen(kind)) }
        window.onClosing = { [weak self] in self?.tell(self?.event(of: kind, isClosing: true)) != true }
        window.onClosed = { [weak self] in
            self?.windows[kind] = nil
            // The views end with the window, so the next one shows the current state.
            if kind == .settings { self?.settings = nil }
            self?.model?.send(.presence(.closed(kind)))
        }
        return window
    }

    /// The event of the sheet in this window, if it shows one. The close button is such an event,
    /// and the state decides whether the window closes.
    private func event(of kind: Presence.Window, isClosing: Bool) -> ShellEvent? {
        guard let state = model?.state else { return nil }
        return switch kind {
        case .desk: state.desk.sheet.map { .sheet(id: $0.id, isClosing ? .closed : .cameToFront) }
        case .settings, .firstRun, .notice, .prompt: nil
        }
    }

    /// - Returns: true if there was an event.
    private func tell(_ event: ShellEvent?) -> Bool {
        if let event { model?.send(event) }
        return event != nil
    }
}
