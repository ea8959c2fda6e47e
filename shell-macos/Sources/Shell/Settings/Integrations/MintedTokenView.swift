import ShellRules
import SwiftUI

/// A token, shown once.
struct MintedTokenView: View {
    @State var minted: MintedSheet
    let done: @MainActor () -> Void

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            Text(verbatim: minted.name).font(.headline)
            WrappedText(MintedSheet.sentence)
            HStack {
                Text(verbatim: minted.plaintext ?? "")
                    .font(.body.monospaced())
                    .lineLimit(1)
                    .truncationMode(.middle)
                    .textSelection(.enabled)
                    .privacySensitive()
                    .accessibilityLabel(Text("Token"))
                Spacer()
                CopyButton(what: "Copy the token", text: { minted.plaintext }, isSecret: true)
            }
            .padding(8)
            .background(Color(nsColor: .textBackgroundColor))
            HStack {
                Spacer()
                Button("Done", action: done).keyboardShortcut(.defaultAction)
            }
        }
        .padding(20)
        .frame(width: 460)
        .interactiveDismissDisabled()
        .onDisappear { minted.close() }
    }
}
