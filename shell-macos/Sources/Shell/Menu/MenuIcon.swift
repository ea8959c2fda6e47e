import ShellRules
import SwiftUI

/// What stands in the menu bar: a symbol for the state, and how many questions wait.
struct MenuIcon: View {
    let menu: MenuContent

    var body: some View {
        HStack {
            Image(systemName: symbol)
            if let badge = menu.badge { Text(verbatim: badge) }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text("Sallyport"))
        .accessibilityValue(Text(verbatim: menu.spoken))
    }

    private var symbol: String {
        switch menu.icon {
        case .running: "lock.shield"
        case .off: "shield.slash"
        case .paused: "pause.circle"
        case .troubled: "exclamationmark.shield"
        case .asking: "hand.raised.fill"
        }
    }
}
