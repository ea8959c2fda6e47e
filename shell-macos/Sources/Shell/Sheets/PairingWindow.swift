import ShellRules
import SwiftUI

/// The approval sheet of a pairing (spec §10), drawn from `PairingSheet`.
struct PairingWindow: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        if let sheet = model.state.pairings.current {
            VStack(spacing: 0) {
                PairingForm(sheet: sheet, send: send)
                Divider()
                DecisionBar(sheet: sheet) { send(PairingSheet.Event($0)) }
            }
            .frame(width: PairingSheet.windowSize.width)
            .id(sheet.id)
        }
    }

    private func send(_ event: PairingSheet.Event) {
        model.send(.pairing(event))
    }
}
