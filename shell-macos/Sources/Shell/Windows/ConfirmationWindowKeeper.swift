import ShellRules
import SwiftUI

/// Keeps the window of what other shells ask open for as long as `ShellState` has one to draw.
@MainActor
final class ConfirmationWindowKeeper {
    private var window: KeptWindow?

    func follow(_ model: ShellModel) {
        if model.state.confirmations.current == nil {
            let over = window
            window = nil
            if let over {
                over.close()
                model.send(.presence(.closed(.confirmation)))
            }
        } else if window == nil {
            open(model)
        }
        if let size = model.state.size(of: .confirmation) { window?.fit(size) }
    }

    var isInSight: Bool { window?.isInSight == true }

    func comeToFront() {
        window?.comeToFront()
    }

    private func open(_ model: ShellModel) {
        let kept = KeptWindow(
            ConfirmationWindow(model: model), title: localized("Confirm a Change"),
            size: model.state.size(of: .confirmation) ?? .zero, .comesUnasked)
        kept.onSeen = { [weak model] in model?.send(.seen(.confirmation)) }
        kept.onCameToFront = { [weak model] in tell(model, .cameToFront) }
        kept.onClosing = { [weak model] in
            tell(model, .closed)
            return false
        }
        window = kept
        model.send(.presence(.opened(.confirmation)))
        // Comes unasked: it takes no keys that are meant for another app.
        kept.standInFront()
    }
}

@MainActor
private func tell(_ model: ShellModel?, _ event: ConfirmationSheet.Event) {
    if let model, let id = model.state.confirmations.current?.id { model.confirm(event, for: id) }
}
