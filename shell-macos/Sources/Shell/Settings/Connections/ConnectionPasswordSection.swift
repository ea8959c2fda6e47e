import ShellRules
import SwiftUI

/// Where the password comes from.
struct ConnectionPasswordSection: View {
    @Binding var form: ConnectionForm

    var body: some View {
        Section {
            Picker("Password", selection: $form.passwordKind) {
                ForEach(form.passwordKinds) { kind in Text(verbatim: kind.label).tag(kind) }
            }
            switch form.passwordKind {
            case .kept, .none: EmptyView()
            case .typed: SecureField("New password", text: $form.typedPassword)
            case .command:
                TextField("Command", text: $form.passwordCommand).font(.body.monospaced())
                Remark(sentence: ConnectionForm.commandNote, isProblem: false)
            }
            FieldProblem(form: form, field: .password)
        } footer: {
            if let note = form.placeNote { Remark(sentence: note) }
        }
    }
}
