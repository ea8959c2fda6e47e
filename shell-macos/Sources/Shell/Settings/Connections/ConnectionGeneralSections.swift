import ShellRules
import SwiftUI

/// The place of the database and how to dial it.
struct ConnectionGeneralSections: View {
    let model: ShellModel
    @Binding var form: ConnectionForm
    @State private var url = ""

    var body: some View {
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
        Section {
            FieldLine("Name", $form.fields.name, form, "name", prompt: "Required")
            if form.saved == nil {
                ChoicePicker("Kind", $form.fields.engine, Engine.allCases, \.label)
            }
        }
        if form.fields.engine == .sqlite {
            Section("File") {
                FieldLine("Path", $form.fields.filePath, form, "endpoint.filePath", prompt: "Required", kind: .path)
            }
        } else {
            serverSection
            passwordSection
            tlsSection
        }
    }

    private var serverSection: some View {
        Section("Server") {
            Picker("Connect by", selection: $form.fields.place) {
                Text("Host and port").tag(ConnectionForm.Place.host)
                Text("Unix socket").tag(ConnectionForm.Place.socket)
            }
            switch form.fields.place {
            case .host:
                FieldLine("Host", $form.fields.host, form, "endpoint.host", prompt: "Required")
                FieldLine("Port", $form.fields.port, form, "endpoint.port", prompt: "Default")
            case .socket:
                FieldLine("Socket", $form.fields.socketPath, form, "endpoint.socketPath", prompt: "Required", kind: .path)
            }
            FieldLine("Database", $form.fields.database, form, "endpoint.database")
            FieldLine("User", $form.fields.user, form, "endpoint.user")
        }
    }

    private var passwordSection: some View {
        Section {
            ChoicePicker("Password", $form.fields.passwordKind, form.passwordKinds, \.label)
            switch form.fields.passwordKind {
            case .kept, .none: EmptyView()
            case .typed: FieldLine("New password", $form.fields.password, form, "password.value", prompt: "Required", kind: .secret)
            case .command:
                FieldLine("Command", $form.fields.passwordCommand, form, "password.command", prompt: "Required", kind: .code)
                Remark(sentence: ConnectionForm.commandNote, isProblem: false)
            }
        }
    }

    private var tlsSection: some View {
        Section("TLS") {
            ChoicePicker(
                "Encryption", $form.fields.tlsMode, none: form.mayBeAutomaticTLS ? "Automatic" : nil, TlsMode.allCases, \.label)
            if let problem = form.problem("tls") ?? form.problem("tls.clientCertificate") { Remark(sentence: problem) }
            FieldLine("CA file", $form.fields.caFile, form, "tls.caFile", kind: .path)
            FieldLine(
                "Client certificate", $form.fields.certificateFile, form, "tls.clientCertificate.certificateFile", kind: .path)
            FieldLine("Client key", $form.fields.keyFile, form, "tls.clientCertificate.keyFile", kind: .path)
            FieldLine("New key passphrase", $form.fields.keyPassphrase, form, "tls.keyPassphrase", kind: .secret)
        }
    }

    private func paste() {
        let command = form.reading(url: url)
        // The URL may contain a password.
        url = ""
        Task { form.paste(await model.attempt(command)) }
    }
}
