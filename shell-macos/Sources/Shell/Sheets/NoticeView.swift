import SwiftUI

/// A sentence in a window of its own.
struct NoticeView: View {
    /// Escaped.
    let sentence: String
    let done: @MainActor () -> Void

    var body: some View {
        VStack(alignment: .trailing, spacing: 16) {
            Text(verbatim: sentence)
                .fixedSize(horizontal: false, vertical: true)
                .textSelection(.enabled)
                .frame(maxWidth: .infinity, alignment: .leading)
            Button("OK", action: done)
                .keyboardShortcut(.defaultAction)
        }
        .padding(20)
        .frame(width: 380)
    }
}
