import AppKit
import ShellRules
import SwiftUI

/// A text field of the editor. Its problem stands under it after an attempt to save or test.
struct FieldLine: View {
    enum Kind {
        case plain, code, secret, path
    }

    let title: LocalizedStringKey
    @Binding var text: String
    let problem: String?
    let prompt: LocalizedStringKey
    let kind: Kind

    /// - Parameter field: the daemon's name of the field.
    init(
        _ title: LocalizedStringKey, _ text: Binding<String>, _ form: ConnectionForm, _ field: String,
        prompt: LocalizedStringKey = "Optional", kind: Kind = .plain
    ) {
        (self.title, _text, problem, self.prompt, self.kind) = (title, text, form.problem(field), prompt, kind)
    }

    var body: some View {
        switch kind {
        case .plain: TextField(title, text: $text, prompt: Text(prompt))
        case .code: TextField(title, text: $text, prompt: Text(prompt)).font(.body.monospaced())
        case .secret: SecureField(title, text: $text, prompt: Text(prompt))
        case .path: PathField(title: title, text: $text, prompt: prompt)
        }
        if let problem { Remark(sentence: problem) }
    }
}

/// A path that a person types or chooses.
struct PathField: View {
    let title: LocalizedStringKey
    @Binding var text: String
    let prompt: LocalizedStringKey

    var body: some View {
        LabeledContent(title) {
            TextField(title, text: $text, prompt: Text(prompt)).labelsHidden()
            Button("Choose…", action: choose)
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
