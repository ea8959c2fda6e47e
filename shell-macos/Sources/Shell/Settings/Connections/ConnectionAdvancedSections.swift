import ShellRules
import SwiftUI

/// What AI clients may do with the connection, its limits, and its group, tags and colour.
struct ConnectionAdvancedSections: View {
    @Binding var form: ConnectionForm

    var body: some View {
        Section {
            ChoicePicker("External Clients", $form.fields.externalClients, ExternalClientsLevel.allCases, \.label)
            if form.fields.externalClients == .readWrite {
                ChoicePicker(
                    "Write access", $form.fields.writeDuration,
                    none: form.saved?.externalClients.level == .readWrite ? "As it is" : nil,
                    ConnectionForm.WriteDuration.allCases, \.label)
            }
            if let problem = form.problem("externalClients") { Remark(sentence: problem) }
            ChoicePicker("AI Policy", $form.fields.aiPolicy, AiPolicy.allCases, \.label)
            if form.fields.engine != .sqlite {
                // A saved connection already has a value, so Automatic is not offered.
                ChoicePicker(
                    "Databases", $form.fields.databases, none: form.saved == nil ? "Automatic" : nil, Databases.allCases, \.label)
                if form.fields.engine == .postgres {
                    ChoicePicker(
                        "Of several servers", $form.fields.targetServers, none: "The first that answers", TargetServers.allCases,
                        \.rawValue)
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
            ChoicePicker("Color", $form.fields.colour, none: "None", form.colours, ConnectionForm.label(ofColour:))
        }
    }
}
