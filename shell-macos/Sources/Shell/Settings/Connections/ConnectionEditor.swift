import ShellRules
import SwiftUI

/// The editor of one connection, as a sheet: General and Advanced. A field's problem stands under
/// the field.
struct ConnectionEditor: View {
    let model: ShellModel
    @State var form: ConnectionForm
    @State private var pane = FormSection.Pane.general
    @State private var url = ""
    @State private var isSaving = false
    @State private var isTesting = false
    @State private var tested: ConnectionTestText?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 0) {
            Picker("Pane", selection: $pane) {
                Text("General").tag(FormSection.Pane.general)
                Text("Advanced").tag(FormSection.Pane.advanced)
            }
            .pickerStyle(.segmented)
            .labelsHidden()
            .fixedSize()
            .padding(.top, 16)
            Form {
                if pane == .general { pasting }
                ForEach(form.sections(of: pane)) { section in
                    Section {
                        ForEach(section.fields) { field in
                            FieldLine(field: field, text: $form[shown: field.key], problem: form.problem(field))
                        }
                    } header: {
                        if let title = section.heading { Text(verbatim: title) }
                    }
                }
            }
            .formStyle(.grouped)
            if let problem = form.problem(nil) { Remark(sentence: problem).padding([.horizontal, .bottom]) }
            testBar
        }
        .frame(width: 540, height: 600)
        .disabled(isSaving)
        .onChange(of: form.values) { _ in tested = nil }
        .formButtons(
            localized("Save"), help: localized("Saves without dialling; Test dials"), isReady: form.isChanged && !isSaving,
            cancelled: dismiss, confirmed: save)
    }

    private var pasting: some View {
        Section {
            LabeledContent("From a URL") {
                TextField("From a URL", text: $url, prompt: Text(verbatim: "postgres://user@host/database"))
                    .labelsHidden()
                    .onSubmit(paste)
                Button("Use", action: paste).disabled(url.isEmpty)
            }
            if let problem = form.urlProblem { Remark(sentence: problem) }
            ForEach(form.urlNotes, id: \.self) { note in Remark(sentence: note, isProblem: false) }
        }
    }

    private func paste() {
        let command = form.reading(url: url)
        // The URL may contain a password.
        url = ""
        Task { form.paste(await model.attempt(command)) }
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
        let dialled = form.values
        tested = nil
        isTesting = true
        defer { isTesting = false }
        let answer = await drafted(form.trying) { try $0.trial(hostKey: hostKey) }
        // The answer is about the fields that were dialled, not about later input.
        if let answer, form.values == dialled { tested = ConnectionTestText(answer) }
    }

    private func save() async {
        isSaving = true
        defer { isSaving = false }
        guard await drafted(form.saving, { $0 }) != nil else { return }
        model.loadLists()
        dismiss()
    }

    /// Has the daemon make a draft of what was typed, and asks the request of it. Nil if it is
    /// refused: then the pane of the refused field is shown.
    private func drafted<Asked: ControlCommand>(
        _ drafting: Command.ConnectionsForm, _ request: (Command.ConnectionsSave) throws -> Asked
    ) async -> Asked.Answer? {
        var answer = Result<Asked.Answer, ControlClient.Failure>.failure(.lost)
        switch await model.attempt(drafting) {
        case .failure(let failure): answer = .failure(failure)
        case .success(let form):
            if let asked = try? form.draft.map(request) { answer = await model.attempt(asked) }
        }
        switch answer {
        case .success(let done): return done
        case .failure(let failure):
            form.refused(failure)
            if let refused = form.refusedPane { pane = refused }
            return nil
        }
    }
}
