import AppKit
import ShellRules

/// The item in the menu bar: its presence, its icon and its menu, all from `MenuContent`.
@MainActor
final class MenuBarItem {
    private var item: NSStatusItem?
    private var isShown = false
    private var drawn: MenuContent?

    func follow(_ model: ShellModel) {
        // The user dragged the item out (Apple, `NSStatusItem.Behavior.removalAllowed`).
        if isShown, item?.isVisible == false {
            isShown = false
            return model.send(.presence(.removedFromMenuBar))
        }
        let isWanted = model.state.presence.shown.menuBar
        if isWanted != isShown {
            // The item is made when it is first shown: a launch by a link shows none.
            let item = item ?? make()
            item.isVisible = isWanted
            isShown = isWanted
        }
        if let item, model.state.menu != drawn { draw(model.state.menu, in: item, of: model) }
    }

    /// Without its own name the item is kept as `Item-0`, and the system may hide it for ever
    /// (github.com/AThevon/TokenEater/pull/238). With a name, the system also remembers that
    /// somebody dragged the item out and hides it at the next launch. The code that shows the item
    /// must therefore set `isVisible`.
    private func make() -> NSStatusItem {
        let made = NSStatusBar.system.statusItem(withLength: NSStatusItem.variableLength)
        made.autosaveName = "Sallyport"
        made.behavior = .removalAllowed
        made.menu = NSMenu()
        made.menu?.autoenablesItems = false
        made.button?.imagePosition = .imageLeading
        item = made
        return made
    }

    private func draw(_ content: MenuContent, in item: NSStatusItem, of model: ShellModel) {
        drawn = content
        item.button?.image = NSImage(systemSymbolName: content.icon.symbol, accessibilityDescription: nil)
        item.button?.title = content.badge ?? ""
        item.button?.setAccessibilityLabel(localized("\("Sallyport"): \(content.spoken)"))
        item.menu?.items = content.items.map { entry in
            switch entry {
            case .separator: return .separator()
            case .text(let text):
                let dimmed = NSMenuItem(title: text, action: nil, keyEquivalent: "")
                dimmed.isEnabled = false
                return dimmed
            case .button(let action, let title):
                return MenuPress { [weak model] in model?.send(.chose(action)) }.item(title, key: action.key)
            }
        }
    }
}

extension MenuContent.Icon {
    var symbol: String {
        switch self {
        case .running: "lock.shield"
        case .off: "shield.slash"
        case .paused: "pause.circle"
        case .troubled: "exclamationmark.shield"
        case .asking: "hand.raised.fill"
        }
    }
}

extension MenuContent.Action {
    /// The key, pressed with Command.
    fileprivate var key: String {
        switch self {
        case .openSettings: ","
        case .quit: "q"
        default: ""
        }
    }
}
