import ShellRules
import SwiftUI

/// Connect a Client (spec §16): the kind of client, its numbered steps, and the snippets to copy.
struct ConnectClientView: View {
    let model: ShellModel
    @State var sheet: ConnectClientSheet
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            Text("Connect a Client").font(.headline)
            ChoicePicker("Kind of client", $sheet.kind, ConnectClientSheet.Kind.allCases, \.label)
                .pickerStyle(.segmented)
                .labelsHidden()
            Text(verbatim: sheet.kind.explanation).foregroundStyle(.secondary)
            ScrollView(.vertical) {
                VStack(alignment: .leading, spacing: 14) {
                    ForEach(sheet.steps) { step in StepView(step: step) }
                    if let problem = sheet.problem { Remark(sentence: problem) }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            HStack {
                Spacer()
                Button("Done") { dismiss() }.keyboardShortcut(.defaultAction)
            }
        }
        .padding(20)
        .frame(width: 560, height: 480)
        .onExitCommand { dismiss() }
        .onAppear { Task { sheet.take(await model.attempt(Command.SnippetsList())) } }
    }
}

private struct StepView: View {
    let step: ConnectClientSheet.Step

    var body: some View {
        HStack(alignment: .firstTextBaseline, spacing: 8) {
            Text(verbatim: "\(step.number).").monospacedDigit().foregroundStyle(.secondary)
            VStack(alignment: .leading, spacing: 6) {
                WrappedText(step.text)
                if let snippet = step.snippet { SnippetBox(snippet: snippet) }
            }
        }
        .accessibilityElement(children: .contain)
    }
}

private struct SnippetBox: View {
    let snippet: String

    var body: some View {
        HStack(alignment: .top) {
            WrappedText(snippet)
                .font(.callout.monospaced())
            Spacer()
            CopyButton(what: "Copy the snippet", text: { snippet })
        }
        .padding(8)
        .background(Color(nsColor: .textBackgroundColor))
        .overlay { RoundedRectangle(cornerRadius: 5).strokeBorder(Color(nsColor: .separatorColor)) }
    }
}
