import SwiftUI

/// A sentence about what is wrong or missing, under a form or its buttons.
struct Remark: View {
    let sentence: String
    var isProblem = true

    var body: some View {
        Label {
            Text(verbatim: sentence)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
        } icon: {
            Image(systemName: isProblem ? "exclamationmark.triangle" : "info.circle")
                .accessibilityHidden(true)
        }
        .font(.callout)
        .foregroundStyle(.secondary)
    }
}
