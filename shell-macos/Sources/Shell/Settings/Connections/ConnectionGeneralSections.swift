import ShellRules
import SwiftUI

/// Where the database is and how it is dialled.
struct ConnectionGeneralSections: View {
    let model: ShellModel
    @Binding var form: ConnectionForm
    @State private var url = ""

    var body: some View {
        Section {
            TextField("Name", text: $form.fields.name)
            FieldProblem(form: form, field: .name)
            if form.saved == nil {
                Picker("Kind", selection: $form.fields.engine) {
                    ForEach(Engine.allCases, id: \.self) { engine in Text(verbatim: engine.label).tag(engine) }
                }
            }
            LabeledContent("From a URL") {
                TextField("From a URL", text: $url, prompt: Text(verbatim: "postgres://user@host/database"))
                    .labelsHidden()
                    .onSubmit(paste)
                Button("Use", action: paste).disabled(url.isEmpty)
            }
            if let problem = form.urlProblem { Remark(sentence: problem) }
            ForEach(form.urlNotes, id: \.self) { note in Remark(sentence: note, isProblem: false) }
        }
        if form.fields.engine == .sqlite {
            Section("File") {
                PathField("Path", text: $form.fields.filePath)
                FieldProblem(form: form, field: .filePath)
            }
        } else {
            serverSection
            ConnectionPasswordSection(form: $form)
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
                TextField("Host", text: $form.fields.host)
                FieldProblem(form: form, field: .host)
                TextField("Port", text: $form.fields.port, prompt: Text("Default"))
                FieldProblem(form: form, field: .port)
            case .socket:
                PathField("Socket", text: $form.fields.socketPath)
                FieldProblem(form: form, field: .socketPath)
            }
            TextField("Database", text: $form.fields.database)
            FieldProblem(form: form, field: .database)
            TextField("User", text: $form.fields.user)
            FieldProblem(form: form, field: .user)
        }
    }

    private var tlsSection: some View {
        Section("TLS") {
            Picker("Encryption", selection: $form.fields.tlsMode) {
                if form.mayBeAutomaticTLS { Text("Automatic").tag(TlsMode?.none) }
                ForEach(TlsMode.allCases, id: \.self) { mode in Text(verbatim: mode.label).tag(TlsMode?.some(mode)) }
            }
            PathField("CA file", text: $form.fields.caFile)
            FieldProblem(form: form, field: .caFile)
            PathField("Client certificate", text: $form.fields.certificateFile)
            FieldProblem(form: form, field: .certificateFile)
            PathField("Client key", text: $form.fields.keyFile)
            FieldProblem(form: form, field: .keyFile)
            SecureField("New key passphrase", text: $form.fields.keyPassphrase)
            FieldProblem(form: form, field: .keyPassphrase)
        }
    }

    private func paste() {
        let command = form.reading(url: url)
        // A password may have stood in it.
        url = ""
        Task { form.paste(await model.attempt(command)) }
    }
}
