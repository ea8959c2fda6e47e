import ShellRules
import SwiftUI

/// How long a decision is still taken.
struct CountdownLabel: View {
    let countdown: Countdown

    var body: some View {
        Label {
            Text(verbatim: countdown.words).monospacedDigit()
        } icon: {
            Image(systemName: "clock")
        }
        .foregroundStyle(.secondary)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text("Time left"))
        .accessibilityValue(Text(verbatim: countdown.spoken))
    }
}
