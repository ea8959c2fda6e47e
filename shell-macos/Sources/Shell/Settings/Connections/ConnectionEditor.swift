import ShellRules
import SwiftUI

/// The editor of one connection, as a sheet: General and Advanced. What is wrong with a field
/// stands under it.
struct ConnectionEditor: View {
    private enum Pane: Hashable {
        case general, advanced
    }

    let model: ShellModel
    @State var form: ConnectionForm
    @State private var pane = Pane.general
    @State private var problem: String?
    @State private var isSaving = false
    @State private var isTesting = false
    @State private var tested: ConnectionTestText?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 0) {
            Picker("Pane", selection: $pane) {
                Text("General").tag(Pane.general)
                Text("Advanced").tag(Pane.advanced)
            }
            .pickerStyle(.segmented)
            .labelsHidden()
            .fixedSize()
            .padding(.top, 16)
            Form {
                switch pane {
                case .general: ConnectionGeneralSections(model: model, form: $form)
                case .advanced: ConnectionAdvancedSections(form: $form)
                }
            }
            .formStyle(.grouped)
            if let problem { Remark(sentence: problem).padding([.horizontal, .bottom]) }
            testBar
        }
        .frame(width: 540, height: 600)
        .disabled(isSaving)
        .onChange(of: form) { _ in tested = nil }
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button("Cancel", role: .cancel) { dismiss() }.keyboardShortcut(.cancelAction)
            }
            ToolbarItem(placement: .confirmationAction) {
                Button("Save") { Task { await save() } }
                    .keyboardShortcut(.defaultAction)
                    .disabled(form.command == nil || isSaving)
                    .help("Saves without dialling; Test dials")
            }
        }
    }

    private var testBar: some View {
        HStack(spacing: 8) {
            Button("Test") { Task { await test() } }
                .disabled(form.testCommand == nil || isTesting)
                .help("Dials the connection as it is saved")
            if isTesting { ProgressView().controlSize(.small) }
            if let tested {
                Remark(sentence: tested.sentence, isProblem: !tested.isReachable)
            }
            Spacer()
        }
        .padding([.horizontal, .bottom])
    }

    private func test() async {
        guard let command = form.testCommand else { return }
        isTesting = true
        defer { isTesting = false }
        switch await model.attempt(command) {
        case .success(let result):
            // Of what was dialled, not of what was typed meanwhile.
            if form.testCommand == command { tested = ConnectionTestText(result) }
        case .failure(let failure):
            problem = failure.isGivenUp ? nil : failure.sentence
        }
    }

    private func save() async {
        guard let command = form.command else { return }
        isSaving = true
        defer { isSaving = false }
        switch await model.attempt(command) {
        case .success:
            model.loadLists()
            dismiss()
        case .failure(let failure):
            problem = failure.isGivenUp ? nil : failure.sentence
        }
    }
}
