import ShellRules
import SwiftUI

/// The menu-bar item: there or not, its icon and its menu, all as `MenuContent` has them.
struct MenuBarScene: Scene {
    @ObservedObject var model: ShellModel

    var body: some Scene {
        MenuBarExtra(isInserted: isInserted) {
            MenuItems(model: model)
        } label: {
            MenuIcon(menu: model.state.menu)
        }
    }

    private var isInserted: Binding<Bool> {
        Binding(
            get: { model.state.presence.shown.menuBar },
            set: { isInserted in if !isInserted { model.send(.presence(.removedFromMenuBar)) } })
    }
}
