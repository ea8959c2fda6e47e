import AppKit
import SwiftUI

/// A path that can be typed or chosen.
struct PathField: View {
    let title: LocalizedStringKey
    @Binding var text: String
    let prompt: LocalizedStringKey

    var body: some View {
        LabeledContent {
            TextField(title, text: $text, prompt: Text(prompt)).labelsHidden()
            Button("Choose…", action: choose)
        } label: {
            Text(title)
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
