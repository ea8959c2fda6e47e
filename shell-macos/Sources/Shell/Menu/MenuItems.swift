import ShellRules
import SwiftUI

/// The menu's items in their order.
struct MenuItems: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        WithSettings { openSettings in
            ForEach(Array(model.state.menu.items.enumerated()), id: \.offset) { _, item in
                switch item {
                case .text(let text): Text(verbatim: text)
                case .separator: Divider()
                case .button(let action, let title):
                    Button(title) {
                        model.openSettings = openSettings
                        model.send(.chose(action))
                    }
                    .keyboardShortcut(shortcut(action))
                }
            }
        }
    }

    private func shortcut(_ action: MenuContent.Action) -> KeyboardShortcut? {
        switch action {
        case .openSettings: KeyboardShortcut(",")
        case .quit: KeyboardShortcut("q")
        default: nil
        }
    }
}
