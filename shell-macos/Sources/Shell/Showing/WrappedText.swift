import SwiftUI

/// A text that takes as many lines as it needs, and that a person can copy.
struct WrappedText: View {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    var body: some View {
        Text(verbatim: text)
            .fixedSize(horizontal: false, vertical: true)
            .textSelection(.enabled)
    }
}
