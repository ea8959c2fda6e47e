import ShellRules
import SwiftUI

/// The editor of one connection, as a sheet: General and Advanced. A field's problem stands under
/// the field.
struct ConnectionEditor: View {
    let model: ShellModel
    @State var form: ConnectionForm
    @State private var isAdvanced = false
    @State private var isSaving = false
    @State private var isTesting = false
    @State private var tested: ConnectionTestText?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 0) {
            Picker("Pane", selection: $isAdvanced) {
                Text("General").tag(false)
                Text("Advanced").tag(true)
            }
            .pickerStyle(.segmented)
            .labelsHidden()
            .fixedSize()
            .padding(.top, 16)
            Form {
                if isAdvanced {
                    ConnectionAdvancedSections(form: $form)
                } else {
                    ConnectionGeneralSections(model: model, form: $form)
                }
            }
            .formStyle(.grouped)
            if let problem = form.problem(nil) { Remark(sentence: problem).padding([.horizontal, .bottom]) }
            testBar
        }
        .frame(width: 540, height: 600)
        .disabled(isSaving)
        .onChange(of: form.fields) { _ in tested = nil }
        .formButtons(
            localized("Save"), help: localized("Saves without dialling; Test dials"), isReady: form.isChanged && !isSaving,
            cancelled: dismiss, confirmed: save)
    }

    private var testBar: some View {
        VStack(alignment: .leading, spacing: 8) {
            if let tested { Remark(sentence: tested.sentence, isProblem: !tested.isReachable) }
            HStack(spacing: 8) {
                Button("Test") { Task { await test() } }
                    .disabled(isTesting)
                    .help("Dials what stands here, and saves nothing")
                if isTesting { ProgressView().controlSize(.small) }
                if let hostKey = tested?.hostKey { Button("Trust This Key") { Task { await test(hostKey) } } }
                Spacer()
            }
        }
        .padding([.horizontal, .bottom])
    }

    private func test(_ hostKey: String? = nil) async {
        guard let command = form.trial(hostKey: hostKey) else { return }
        let dialled = form.fields
        tested = nil
        isTesting = true
        defer { isTesting = false }
        switch await model.attempt(command) {
        case .success(let result):
            // The answer is about the fields that were dialled, not about later input.
            if form.fields == dialled { tested = ConnectionTestText(result) }
        case .failure(let failure): refused(failure)
        }
    }

    /// Shows the pane of the refused field.
    private func refused(_ failure: ControlClient.Failure) {
        form.refused(failure)
        if let field = form.refusedField { isAdvanced = !ConnectionForm.fieldsUnderGeneral.contains(field) }
    }

    private func save() async {
        isSaving = true
        defer { isSaving = false }
        switch await model.attempt(form.command) {
        case .success:
            model.loadLists()
            dismiss()
        case .failure(let failure): refused(failure)
        }
    }
}
