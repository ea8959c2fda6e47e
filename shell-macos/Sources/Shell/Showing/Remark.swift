import SwiftUI

/// A sentence about what is wrong or missing, under a form or its buttons.
struct Remark: View {
    let sentence: String
    var isProblem = true

    var body: some View {
        Label {
            WrappedText(sentence)
        } icon: {
            Image(systemName: isProblem ? "exclamationmark.triangle" : "info.circle")
                .accessibilityHidden(true)
        }
        .font(.callout)
        .foregroundStyle(.secondary)
    }
}
