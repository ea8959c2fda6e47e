import ShellRules
import SwiftUI

/// The tunnel between this Mac and the server.
struct ConnectionTunnelSection: View {
    @Binding var form: ConnectionForm

    var body: some View {
        Section {
            ChoicePicker("Tunnel", $form.fields.tunnelKind, ConnectionForm.TunnelKind.allCases, \.label)
            switch form.fields.tunnelKind {
            case .none: EmptyView()
            case .ssh:
                FieldLine("SSH server", $form.fields.sshServer, form, "tunnel.destination", prompt: "Required")
                FieldLine("Hops before it", $form.fields.sshJumps, form, "tunnel.jumps", prompt: "Separated by commas")
                FieldLine("SSH key", $form.fields.sshKeyFile, form, "tunnel.keyFile", kind: .path)
                FieldLine("New passphrase of the SSH key", $form.fields.sshPassphrase, form, "sshPassphrase", kind: .secret)
                FieldLine("New SSH password", $form.fields.sshPassword, form, "sshPassword", kind: .secret)
                Remark(sentence: ConnectionForm.sshNote, isProblem: false)
            case .command:
                FieldLine("Tunnel command", $form.fields.tunnelCommand, form, "tunnel.command", prompt: "Required", kind: .code)
                Remark(sentence: ConnectionForm.tunnelCommandNote, isProblem: false)
            }
            if let problem = form.problem("tunnel") { Remark(sentence: problem) }
        }
    }
}
