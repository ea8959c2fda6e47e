import ShellRules
import SwiftUI

/// The sheet that makes a token and then shows it once.
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
                    ChoicePicker("Permission Level", $form.scope, Scope.allCases, \.label)
                    ChoicePicker("Expiration", $form.expires, TokenExpiry.allCases, \.label)
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
        .formButtons(
            localized("Create Token"), isReady: !form.name.isEmpty && !isMinting, cancelled: dismiss, confirmed: mint)
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
