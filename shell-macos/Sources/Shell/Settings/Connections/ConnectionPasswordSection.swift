import ShellRules
import SwiftUI

/// Where the password comes from.
struct ConnectionPasswordSection: View {
    @Binding var form: ConnectionForm

    var body: some View {
        Section {
            Picker("Password", selection: $form.fields.passwordKind) {
                ForEach(form.passwordKinds) { kind in Text(verbatim: kind.label).tag(kind) }
            }
            switch form.fields.passwordKind {
            case .kept, .none: EmptyView()
            case .typed: FieldLine("New password", $form.fields.password, form, "password.value", prompt: "Required", kind: .secret)
            case .command:
                FieldLine("Command", $form.fields.passwordCommand, form, "password.command", prompt: "Required", kind: .code)
                Remark(sentence: ConnectionForm.commandNote, isProblem: false)
            }
        }
    }
}
