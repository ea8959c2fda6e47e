import AppKit
import SwiftUI

/// Copies a text and shows that it did for two seconds.
struct CopyButton: View {
    let what: LocalizedStringKey
    let text: @MainActor () -> String?
    var isSecret = false
    @State private var wasCopied = false

    var body: some View {
        Button {
            if let text = text() {
                Pasteboard.copy(text, isSecret: isSecret)
                wasCopied = true
            }
        } label: {
            Label {
                wasCopied ? Text("Copied") : Text("Copy")
            } icon: {
                Image(systemName: wasCopied ? "checkmark" : "doc.on.doc")
            }
        }
        .accessibilityLabel(Text(what))
        .help(Text(what))
        .task(id: wasCopied) {
            guard wasCopied, (try? await Task.sleep(for: .seconds(2))) != nil else { return }
            wasCopied = false
        }
    }
}

enum Pasteboard {
    /// - Parameter isSecret: true marks the text so that clipboard histories skip it
    ///   (nspasteboard.org).
    @MainActor
    static func copy(_ text: String, isSecret: Bool) {
        let pasteboard = NSPasteboard.general
        pasteboard.clearContents()
        pasteboard.setString(text, forType: .string)
        if isSecret { pasteboard.setString("", forType: NSPasteboard.PasteboardType("org.nspasteboard.ConcealedType")) }
    }
}
