import AppKit
import ShellRules
import SwiftUI

/// The colour that the user gave a connection, in the system's shade for light and for dark.
struct ColourDot: View {
    let colour: String?

    var body: some View {
        let shown = ColourDot.shown(colour)
        // The dot takes its room without a colour too, so that names stay aligned.
        Image(systemName: "circle.fill")
            .font(.caption2)
            .foregroundStyle(shown ?? .gray)
            .opacity(shown == nil ? 0 : 1)
            .accessibilityLabel(Text(verbatim: ConnectionColour.label(colour ?? "")))
            .accessibilityHidden(shown == nil)
    }

    static func shown(_ colour: String?) -> Color? {
        colour.flatMap { colour in
            named[colour]
                ?? ConnectionColour.components(colour).map { own in
                    Color(nsColor: NSColor(srgbRed: own[0], green: own[1], blue: own[2], alpha: 1))
                }
        }
    }

    private static let named: [String: Color] = [
        "red": .red, "orange": .orange, "yellow": .yellow, "green": .green, "blue": .blue, "purple": .purple, "pink": .pink,
        "brown": .brown, "grey": .gray,
    ]
}
