import ShellRules
import SwiftUI

/// The colour that the user gave a connection, as the system draws it in light and in dark.
struct ColourDot: View {
    let colour: String?

    var body: some View {
        let shown = ColourDot.shown(colour)
        // Keeps its room without a colour, so that names stand in one line.
        Image(systemName: "circle.fill")
            .font(.caption2)
            .foregroundStyle(shown ?? .gray)
            .opacity(shown == nil ? 0 : 1)
            .accessibilityLabel(Text(verbatim: ConnectionForm.label(ofColour: colour ?? "")))
            .accessibilityHidden(shown == nil)
    }

    private static func shown(_ colour: String?) -> Color? {
        switch colour {
        case "red": .red
        case "orange": .orange
        case "yellow": .yellow
        case "green": .green
        case "blue": .blue
        case "purple": .purple
        case "pink": .pink
        case "brown": .brown
        case "grey": .gray
        default: nil
        }
    }
}
