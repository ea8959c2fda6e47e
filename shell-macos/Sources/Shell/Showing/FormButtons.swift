import SwiftUI

extension View {
    /// The buttons of a sheet with a form: Esc cancels, Return confirms.
    func formButtons(
        _ confirm: String, help: String = "", isReady: Bool, cancelled: DismissAction,
        confirmed: @escaping @MainActor () async -> Void
    ) -> some View {
        toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button("Cancel", role: .cancel) { cancelled() }.keyboardShortcut(.cancelAction)
            }
            ToolbarItem(placement: .confirmationAction) {
                Button(confirm) { Task { await confirmed() } }
                    .keyboardShortcut(.defaultAction)
                    .disabled(!isReady)
                    .help(Text(verbatim: help))
            }
        }
    }
}
