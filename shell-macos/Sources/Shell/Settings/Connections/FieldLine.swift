import ShellRules
import SwiftUI

/// A line of the editor to type in, and under it what is wrong with it, once it was to be saved or
/// tested.
struct FieldLine: View {
    enum Kind {
        case plain, code, secret, path
    }

    let title: LocalizedStringKey
    @Binding var text: String
    let problem: String?
    let prompt: LocalizedStringKey
    let kind: Kind

    /// - Parameter field: as the daemon calls it.
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
