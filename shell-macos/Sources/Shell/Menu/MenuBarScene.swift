import ShellRules
import SwiftUI

/// The menu-bar item: there or not, its icon and its menu, all as `MenuContent` has them.
struct MenuBarScene: Scene {
    @ObservedObject var model: ShellModel
    /// The user has dragged it out of the menu bar: it stays out for this run.
    @State private var isRemoved = false

    var body: some Scene {
        MenuBarExtra(isInserted: isInserted) {
            MenuItems(model: model)
        } label: {
            MenuIcon(menu: model.state.menu)
        }
    }

    private var isInserted: Binding<Bool> {
        Binding(get: { model.state.presence.shown.menuBar && !isRemoved }, set: { if !$0 { isRemoved = true } })
    }
}
