import ShellRules
import SwiftUI

/// Settings > Integrations: the server, the steps to connect a client, tokens, and boxes.
struct IntegrationsPane: View {
    @ObservedObject var model: ShellModel

    var body: some View {
        Form {
            ServerSection(model: model)
            Section {
                LabeledContent {
                    Button("Connect a Client…") { model.send(.chose(.connectClient)) }
                        .keyboardShortcut("k")
                } label: {
                    Text("AI clients")
                    Text("Steps and snippets for four kinds of client.")
                }
            }
            ClientsSection(model: model)
            AuthenticationSection(model: model)
            BoxesSection(model: model)
        }
        .formStyle(.grouped)
        .sheet(isPresented: $model.isConnectingClient) {
            ConnectClientView(model: model, sheet: ConnectClientSheet(port: model.state.status?.port))
        }
    }
}
