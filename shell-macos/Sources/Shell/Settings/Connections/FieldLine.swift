import AppKit
import ShellRules
import SwiftUI

/// One field of the editor. Its problem stands under it after an attempt to save or test.
struct FieldLine: View {
    let field: FormField
    @Binding var text: String
    let problem: String?

    private var prompt: Text { Text(verbatim: field.hint) }

    var body: some View {
        switch field.kind {
        case .text: TextField(field.title, text: $text, prompt: prompt)
        case .code: TextField(field.title, text: $text, prompt: prompt).font(.body.monospaced())
        case .secret: SecureField(field.title, text: $text, prompt: prompt)
        case .path: PathField(title: field.title, text: $text, prompt: prompt)
        case .choice:
            Picker(selection: $text) {
                ForEach(field.choices) { choice in
                    Text(verbatim: choice.title).tag(choice.value)
                    if choice.value.isEmpty { Divider() }
                }
            } label: {
                Text(verbatim: field.title)
            }
        }
        if let problem { Remark(sentence: problem) }
        if let remark = field.remark { Remark(sentence: remark, isProblem: false) }
    }
}

/// A path that a person types or chooses.
struct PathField: View {
    let title: String
    @Binding var text: String
    let prompt: Text

    var body: some View {
        LabeledContent {
            TextField(title, text: $text, prompt: prompt).labelsHidden()
            Button("Choose…", action: choose)
        } label: {
            Text(verbatim: title)
        }
    }

    private func choose() {
        let panel = NSOpenPanel()
        panel.canChooseDirectories = false
        panel.allowsMultipleSelection = false
        panel.showsHiddenFiles = true
        if panel.runModal() == .OK, let path = panel.url?.path { text = path }
    }
}
