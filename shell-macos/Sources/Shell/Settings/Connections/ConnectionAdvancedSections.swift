import ShellRules
import SwiftUI

/// What AI clients may do with the connection, its limits, and how it is filed.
struct ConnectionAdvancedSections: View {
    @Binding var form: ConnectionForm

    var body: some View {
        Section {
            Picker("External Clients", selection: $form.fields.externalClients) {
                ForEach(ExternalClientsLevel.allCases, id: \.self) { level in Text(verbatim: level.label).tag(level) }
            }
            if form.fields.externalClients == .readWrite {
                Picker("Write access", selection: $form.fields.writeDuration) {
                    if form.saved?.externalClients.level == .readWrite {
                        Text("As it is").tag(ConnectionForm.WriteDuration?.none)
                    }
                    ForEach(ConnectionForm.WriteDuration.allCases) { duration in
                        Text(verbatim: duration.label).tag(ConnectionForm.WriteDuration?.some(duration))
                    }
                }
            }
            FieldProblem(form: form, field: .externalClients)
            Picker("AI Policy", selection: $form.fields.aiPolicy) {
                ForEach(AiPolicy.allCases, id: \.self) { policy in Text(verbatim: policy.label).tag(policy) }
            }
            if form.fields.engine != .sqlite {
                Picker("Databases", selection: $form.fields.databases) {
                    // Of a saved one there is a choice that holds.
                    if form.saved == nil { Text("Automatic").tag(Databases?.none) }
                    ForEach(Databases.allCases, id: \.self) { databases in
                        Text(verbatim: databases.label).tag(Databases?.some(databases))
                    }
                }
                if form.fields.engine == .postgres {
                    Picker("Of several servers", selection: $form.fields.targetServers) {
                        Text("The first that answers").tag(TargetServers?.none)
                        ForEach(TargetServers.allCases, id: \.self) { servers in
                            Text(verbatim: servers.rawValue).tag(TargetServers?.some(servers))
                        }
                    }
                }
                TextField("Time zone", text: $form.fields.timeZone, prompt: Text("As the server has it"))
                FieldProblem(form: form, field: .timeZone)
            }
        }
        Section("Limits") {
            TextField("Seconds for a statement", text: $form.fields.statementTimeoutSeconds, prompt: Text("As in Settings"))
            FieldProblem(form: form, field: .statementTimeoutSeconds)
            TextField("Rows of a result", text: $form.fields.rowLimit, prompt: Text("As in Settings"))
            FieldProblem(form: form, field: .rowLimit)
            TextField("Rows changed in an hour", text: $form.fields.writeRowLimit, prompt: Text("As in Settings"))
            FieldProblem(form: form, field: .writeRowLimit)
        }
        Section("Organization") {
            TextField("Group", text: $form.fields.group)
            FieldProblem(form: form, field: .group)
            TextField("Tags", text: $form.fields.tags, prompt: Text("Separated by commas"))
            FieldProblem(form: form, field: .tags)
            Picker("Color", selection: $form.fields.colour) {
                Text("None").tag(String?.none)
                ForEach(ConnectionForm.colours, id: \.self) { colour in
                    Text(verbatim: ConnectionForm.label(ofColour: colour)).tag(String?.some(colour))
                }
            }
        }
    }
}
