import ShellRules
import SwiftUI

/// Get Started, drawn from `FirstRun`: four rows. Each row has its state, its options and its
/// button.
struct FirstRunWindow: View {
    @ObservedObject var model: ShellModel
    var terminal = BundlePlaces().terminal
    @State private var setup = FirstRun()
    @State private var isChoosing = false

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            if model.state.link != .connected { starting(model.state.server) }
            ScrollView(.vertical) {
                VStack(alignment: .leading, spacing: 12) {
                    ForEach(setup.rows(model.state.status, isPassing: model.state.isPassing)) { row in
                        part(row)
                        Divider()
                    }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            HStack {
                Spacer()
                Button("Done") { model.windows.close(.firstRun) }.keyboardShortcut(.defaultAction)
            }
        }
        .padding(20)
        .frame(minWidth: 480, minHeight: 360)
        .sheet(isPresented: $isChoosing) { NewPassphraseView(model: model, isReset: false) }
        .onAppear { lookOnceConnected() }
        .onChange(of: model.state.link) { _ in lookOnceConnected() }
    }

    /// Sallyport, as it comes up: nothing can be done before.
    private func starting(_ server: ServerPane) -> some View {
        VStack(alignment: .leading, spacing: 6) {
            HStack {
                Text(verbatim: server.headline).font(.headline)
                Spacer()
                if model.state.link.isTroubled {
                    Button(model.state.link.startLabel) { model.send(.chose(.startDaemon)) }
                }
            }
            ForEach(server.notes, id: \.self) { note in Remark(sentence: note) }
        }
    }

    private func part(_ row: FirstRun.Row) -> some View {
        VStack(alignment: .leading, spacing: 6) {
            HStack(alignment: .firstTextBaseline) {
                Text(verbatim: row.title).font(.headline)
                if row.isDone {
                    Image(systemName: "checkmark.circle.fill")
                        .foregroundStyle(Color.green)
                        .accessibilityLabel(Text("Done"))
                }
                Spacer()
                Button(row.button) { press(row.id) }.disabled(!row.isEnabled)
            }
            WrappedText(row.state)
                .foregroundStyle(.secondary)
            ForEach(row.options) { option in
                Toggle(isOn: Binding(get: { setup.chosen.contains(option.id) }, set: { setup.tick(option.id, $0) })) {
                    VStack(alignment: .leading, spacing: 2) {
                        Text(verbatim: option.title)
                        Text(verbatim: option.detail)
                            .font(.caption)
                            .foregroundStyle(.secondary)
                    }
                }
            }
        }
    }

    private func lookOnceConnected() {
        if model.state.link == .connected { Task { await look() } }
    }

    private func look() async {
        setup.take(await terminal.run(FirstRun.look))
    }

    private func press(_ part: FirstRun.Part) {
        guard part != .passphrase else {
            isChoosing = true
            return
        }
        let commands = setup.begin(part)
        Task {
            if part == .demo {
                setup.made(await model.ask(Command.DemoCreate()))
            } else {
                var ran: [TerminalProgram.Ran] = []
                for words in commands { ran.append(await terminal.run(words)) }
                setup.ended(part, ran)
            }
            model.loadLists()
            await look()
        }
    }
}
