import SwiftUI

/// One sentence in its own window.
struct NoticeView: View {
    /// Already escaped.
    let sentence: String
    let done: @MainActor () -> Void

    var body: some View {
        VStack(alignment: .trailing, spacing: 16) {
            WrappedText(sentence)
                .frame(maxWidth: .infinity, alignment: .leading)
            Button("OK", action: done)
                .keyboardShortcut(.defaultAction)
        }
        .padding(20)
        .frame(width: 380)
    }
}
