import ShellRules
import SwiftUI

/// The owner passphrase: its state, its author, and the actions on it (spec §11).
struct PassphraseSection: View {
    @ObservedObject var model: ShellModel
    /// The action of the open sheet.
    @State private var begun: PassphrasePane.Action?
    @State private var isTurningOff = false
    @State private var isDeciding = false
    @State private var wasChosen = false

    private var pane: PassphrasePane {
        PassphrasePane(model.state.status) { $0.formatted(date: .abbreviated, time: .shortened) }
    }

    var body: some View {
        Section {
            LabeledContent {
                ForEach(pane.actions) { action in Button(action.label) { begin(action) } }
            } label: {
                Text("Owner passphrase")
                Text(verbatim: pane.explanation)
            }
            .sheet(item: $begun, onDismiss: askAboutGrants) {
                NewPassphraseView(model: model, isReset: $0 == .reset) { wasChosen = true }
            }
            .confirmationDialog("Turn off the owner passphrase?", isPresented: $isTurningOff) {
                Button("Turn Off", role: .destructive) { Task { _ = await model.ask(Command.PassphraseOff()) } }
            } message: {
                Text(verbatim: PassphrasePane.turnOffNote)
            }
            if let status = model.state.status, status.mayUseTouchID { touchID(isOn: status.passphrase.touchId == true) }
            if let chosen = pane.chosen {
                LabeledContent {
                    if pane.doubt != nil {
                        Button("It Was Me") { Task { _ = await model.ask(Command.PassphraseConfirm()) } }
                    }
                } label: {
                    Text(verbatim: chosen)
                    if let doubt = pane.doubt { Text(verbatim: doubt) }
                }
            }
            if !pane.unconfirmed.isEmpty {
                LabeledContent {
                    Button("Decide…") { isDeciding = true }
                } label: {
                    Text("Allowed while it was off")
                    ForEach(pane.unconfirmed, id: \.self) { Text(verbatim: $0) }
                }
                .sheet(isPresented: $isDeciding) { GrantsView(model: model, pane: pane) }
            }
            if let reset = pane.reset { Remark(sentence: reset) }
        }
    }

    private func touchID(isOn: Bool) -> some View {
        Toggle(isOn: Binding(get: { isOn }, set: { isOn in Task { await model.useTouchID(isOn) } })) {
            Text("Touch ID")
            Text(verbatim: TouchID.state(isOn: isOn, canBeMade: OwnerKey.canBeMade))
        }
        .toggleStyle(.switch)
        .disabled(!isOn && !OwnerKey.canBeMade)
    }

    /// The first passphrase after it was off is the moment to look.
    private func askAboutGrants() {
        if wasChosen, !pane.unconfirmed.isEmpty { isDeciding = true }
        wasChosen = false
    }

    private func begin(_ action: PassphrasePane.Action) {
        if action == .turnOff { isTurningOff = true } else { begun = action }
    }
}

/// What was allowed while the owner passphrase was off: the person keeps it or takes it back.
struct GrantsView: View {
    let model: ShellModel
    let pane: PassphrasePane
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            Text("Allowed while it was off").font(.headline)
            ScrollView(.vertical) {
                VStack(alignment: .leading, spacing: 8) {
                    ForEach(pane.unconfirmed, id: \.self) { Remark(sentence: $0, isProblem: false) }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .frame(maxHeight: 260)
            WrappedText(PassphrasePane.unconfirmedNote)
            HStack {
                Button("Decide Later", role: .cancel) { dismiss() }.keyboardShortcut(.cancelAction)
                Spacer()
                Button("Take Back", role: .destructive) { decide(.takeBack) }
                Button("Keep…") { decide(.keep) }.disabled(!pane.mayKeep)
            }
        }
        .padding(20)
        .frame(width: 460)
    }

    private func decide(_ grants: Command.PassphraseConfirm.Grants) {
        Task { if await model.ask(Command.PassphraseConfirm(grants: grants)) != nil { dismiss() } }
    }
}

struct NewPassphraseView: View {
    let model: ShellModel
    /// True if the new passphrase replaces a forgotten one.
    let isReset: Bool
    var chosen: @MainActor () -> Void = {}
    @State private var form = PassphraseForm()
    @State private var problem: String?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 0) {
            Form {
                Section {
                    SecureField("New passphrase", text: $form.first)
                    SecureField("Verify", text: $form.again)
                } footer: {
                    if let problem = form.problem { Remark(sentence: problem, isProblem: !form.first.isEmpty) }
                    if isReset { Remark(sentence: PassphrasePane.resetNote, isProblem: false) }
                }
            }
            .formStyle(.grouped)
            if let problem { Remark(sentence: problem).padding([.horizontal, .bottom]) }
        }
        .frame(width: 400)
        .formButtons(
            isReset ? localized("Reset Passphrase") : localized("Set Passphrase"), isReady: form.command != nil, cancelled: dismiss,
            confirmed: finish)
    }

    private func finish() async {
        guard let command = form.command, let reset = form.resetCommand else { return }
        switch isReset ? await model.attempt(reset) : await model.attempt(command) {
        case .success:
            model.loadLists()
            chosen()
            dismiss()
        case .failure(let failure): problem = failure.isGivenUp ? nil : failure.sentence
        }
    }
}
