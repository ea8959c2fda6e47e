import AppKit
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

    static func shown(_ colour: String?) -> Color? {
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
        default:
            colour.flatMap(ConnectionForm.components(ofColour:)).map { own in
                Color(nsColor: NSColor(srgbRed: own[0], green: own[1], blue: own[2], alpha: 1))
            }
        }
    }
}
