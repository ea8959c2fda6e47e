import ShellRules
import SwiftUI

/// The one card (spec §10 to §12), drawn from `AskSheet`: what is asked, in full, and the answers.
struct AskCard: View {
    let sheet: AskSheet
    /// What became of the answer before.
    let outcome: String?
    let send: @MainActor (AskSheet.Event) -> Void

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            VStack(alignment: .leading, spacing: 12) {
                HStack(alignment: .firstTextBaseline, spacing: 8) {
                    if let colour = sheet.views[0].connection?.colour { ColourDot(colour: colour) }
                    Text(verbatim: sheet.title)
                        .font(.title3)
                        .fixedSize(horizontal: false, vertical: true)
                }
                if let sentence = sheet.sentence { WrappedText(sentence) }
                if let pairing = sheet.pairing {
                    FactGrid(facts: sheet.views[0].shownFacts)
                    PairingForm(pairing: pairing) { send(.chose($0)) }
                        .disabled(!sheet.deciding.isOpen)
                } else {
                    ReadingBox(label: localized("What was asked"), idealHeight: 320) {
                        send(.endShown(of: sheet.reading))
                    } content: {
                        ForEach(sheet.views) { AskInFull(view: $0) }
                    }
                    // What was read before its rows were counted did not say it.
                    .id(sheet.reading)
                }
                if let advice = sheet.advice { WrappedText(advice).foregroundStyle(.secondary) }
            }
            .padding(20)
            Spacer(minLength: 0)
            Divider()
            DecisionBar(sheet: sheet, outcome: outcome, send: send)
        }
    }
}

/// One ask as it is, and as it will run.
private struct AskInFull: View {
    let view: AskView

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            FactGrid(facts: view.shownFacts)
            ForEach(view.statementRows) { StatementRowView(row: $0) }
        }
        .padding(8)
    }
}
