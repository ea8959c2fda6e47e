import ShellRules
import SwiftUI

/// The server's state, its address, the program that holds its port, and its switch.
struct ServerSection: View {
    @ObservedObject var model: ShellModel

    private var server: ServerPane { model.state.server }

    var body: some View {
        Section("Server") {
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
                    Image(systemName: icon.symbol)
                        .foregroundStyle(icon.colour)
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
        }
    }

    private func turn(_ isOn: Bool) {
        Task { _ = await model.ask(ServerPane.switchCommand(isOn: isOn)) }
    }

    private var icon: (symbol: String, colour: Color) {
        switch server.light {
        case .green: ("checkmark.circle.fill", .green)
        case .yellow: ("pause.circle.fill", .yellow)
        case .grey: ("circle", .secondary)
        case .red: ("exclamationmark.triangle.fill", .red)
        }
    }
}
