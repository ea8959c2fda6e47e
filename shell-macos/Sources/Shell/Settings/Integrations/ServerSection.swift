import ShellRules
import SwiftUI

/// Whether the server runs, where, who holds its port, and its switch.
struct ServerSection: View {
    @ObservedObject var model: ShellModel

    private var server: ServerPane { model.state.server }

    var body: some View {
        Section {
            LabeledContent {
                if let isOn = server.isOn {
                    Toggle("MCP server", isOn: Binding(get: { isOn }, set: turn))
                        .toggleStyle(.switch)
                        .labelsHidden()
                } else {
                    Button(model.state.link.startLabel) { model.send(.chose(.startDaemon)) }
                }
            } label: {
                Label {
                    Text(verbatim: server.headline)
                } icon: {
                    Image(systemName: symbol)
                        .foregroundStyle(colour)
                        .accessibilityHidden(true)
                }
            }
            if let address = server.address {
                LabeledContent("Address") {
                    Text(verbatim: address)
                        .font(.body.monospaced())
                        .textSelection(.enabled)
                    CopyButton(what: "Copy the server’s address", text: { address })
                        .labelStyle(.iconOnly)
                        .buttonStyle(.borderless)
                }
            }
            ForEach(server.notes, id: \.self) { note in Remark(sentence: note) }
            if model.daemon.isSwitchedOff {
                LabeledContent {
                    Button("Login Items…") { LaunchAgent.openLoginItems() }
                } label: {
                    Remark(sentence: DaemonStart.switchedOffNote)
                }
            }
        } header: {
            Text("Server")
        }
    }

    private func turn(_ isOn: Bool) {
        Task { _ = await model.ask(ServerPane.switchCommand(isOn: isOn)) }
    }

    private var symbol: String {
        switch server.light {
        case .green: "checkmark.circle.fill"
        case .yellow: "pause.circle.fill"
        case .grey: "circle"
        case .red: "exclamationmark.triangle.fill"
        }
    }

    private var colour: Color {
        switch server.light {
        case .green: .green
        case .yellow: .yellow
        case .grey: .secondary
        case .red: .red
        }
    }
}
