import ShellRules
import SwiftUI

/// What is wrong with one field of the editor, under it; nothing while nothing was typed there yet.
struct FieldProblem: View {
    let form: ConnectionForm
    let field: ConnectionForm.Field

    var body: some View {
        if form.isChanged, let problem = form.problems[field] {
            Remark(sentence: problem)
        }
    }
}
