import AppKit
import ShellRules
import SwiftUI

/// Asks the person to confirm their own change in a separate window: with the owner passphrase, or
/// with an approval.
@MainActor
final class Prompts {
    private var open: KeptWindow?
    /// Reports whether a prompt is open, for the Dock and the menu bar.
    var onShown: @MainActor (Bool) -> Void = { _ in }

    /// - Returns: nil if the person gives up.
    func passphrase(_ prompt: PassphrasePrompt) async -> String? {
        await ask(title: localized("Owner Passphrase"), prompt.windowSize, givenUp: nil) { done in
            PassphraseView(prompt: prompt, done: done)
        }
    }

    func confirmed(_ prompt: ConfirmationPrompt) async -> Bool {
        await ask(title: localized("Sallyport"), prompt.windowSize, givenUp: false) { done in
            ConfirmationPromptView(prompt: prompt, done: done)
        }
    }

    /// Shows one prompt at a time; a second one returns `givenUp` at once.
    private func ask<Answer: Sendable>(
        title: String, _ size: NSSize, givenUp: Answer, _ content: (@escaping @MainActor (Answer) -> Void) -> some View
    ) async -> Answer {
        if let open {
            open.comeToFront()
            return givenUp
        }
        return await withCheckedContinuation { asked in
            var once: CheckedContinuation<Answer, Never>? = asked
            let done: @MainActor (Answer) -> Void = { [weak self] answer in
                once?.resume(returning: answer)
                once = nil
                let window = self?.open
                self?.open = nil
                window?.close()
                self?.onShown(false)
            }
            let window = KeptWindow(content(done), title: title, size: size)
            window.onClosing = {
                done(givenUp)
                return false
            }
            open = window
            onShown(true)
            window.comeToFront()
        }
    }
}
