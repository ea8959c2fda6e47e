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
            if let problem = form.problem("externalClients") { Remark(sentence: problem) }
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
                FieldLine("Time zone", $form.fields.timeZone, form, "timeZone", prompt: "As the server has it")
            }
        }
        if form.fields.engine != .sqlite, form.fields.place == .host { ConnectionTunnelSection(form: $form) }
        Section("Limits") {
            FieldLine(
                "Seconds for a statement", $form.fields.statementTimeoutSeconds, form, "statementTimeoutSeconds",
                prompt: "As in Settings")
            FieldLine("Rows of a result", $form.fields.rowLimit, form, "rowLimit", prompt: "As in Settings")
            FieldLine("Rows changed in an hour", $form.fields.writeRowLimit, form, "writeRowLimit", prompt: "As in Settings")
        }
        Section("Organization") {
            FieldLine("Group", $form.fields.group, form, "group")
            FieldLine("Tags", $form.fields.tags, form, "tags", prompt: "Separated by commas")
            Picker("Color", selection: $form.fields.colour) {
                Text("None").tag(String?.none)
                ForEach(form.colours, id: \.self) { colour in
                    Text(verbatim: ConnectionForm.label(ofColour: colour)).tag(String?.some(colour))
                }
            }
        }
    }
}
