import ShellRules
import SwiftUI

/// The sheet that makes a token, and then shows it, once.
struct MintTokenView: View {
    let model: ShellModel
    @State private var form = TokenForm()
    @State private var minted: MintedSheet?
    @State private var problem: String?
    @State private var isMinting = false
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        if let minted {
            MintedTokenView(minted: minted) {
                self.minted?.close()
                dismiss()
            }
        } else {
            fields
        }
    }

    private var connections: [ConnectionView] { model.state.lists.connections }

    private var fields: some View {
        VStack(spacing: 0) {
            Form {
                Section {
                    TextField("Name", text: $form.name, prompt: Text("Required"))
                    Picker("Permission Level", selection: $form.scope) {
                        ForEach(Scope.allCases, id: \.self) { scope in Text(verbatim: scope.label).tag(scope) }
                    }
                    Picker("Expiration", selection: $form.expires) {
                        ForEach(TokenExpiry.allCases, id: \.self) { expiry in Text(verbatim: expiry.label).tag(expiry) }
                    }
                } footer: {
                    Text(verbatim: form.scope.explanation).foregroundStyle(.secondary)
                }
                Section("Allowed Connections") {
                    Toggle(TokenForm.allLabel, isOn: $form.reachesAll)
                    if !form.reachesAll {
                        ForEach(connections) { connection in
                            Toggle(isOn: $form.ticked.contains(connection.id)) {
                                Text(verbatim: ShownText.name(connection.name))
                            }
                        }
                    }
                    if let note = form.reachNote { Remark(sentence: note, isProblem: false) }
                }
                Section {
                    Toggle("The client itself may confirm destructive statements", isOn: $form.confirmInClient)
                } footer: {
                    Text("Only while no window of Sallyport can ask you. A client is then its own judge.")
                        .foregroundStyle(.secondary)
                }
            }
            .formStyle(.grouped)
            if let problem { Remark(sentence: problem).padding([.horizontal, .bottom]) }
        }
        .frame(width: 460, height: 480)
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button("Cancel", role: .cancel) { dismiss() }.keyboardShortcut(.cancelAction)
            }
            ToolbarItem(placement: .confirmationAction) {
                Button("Create Token") { Task { await mint() } }
                    .keyboardShortcut(.defaultAction)
                    .disabled(form.name.isEmpty || isMinting)
            }
        }
    }

    private func mint() async {
        isMinting = true
        defer { isMinting = false }
        switch await model.attempt(form.command(connections: connections)) {
        case .success(let token):
            model.loadLists()
            minted = MintedSheet(token)
        case .failure(let failure):
            problem = FormRefusal(failure)?.sentence
        }
    }
}
