import ShellRules
import SwiftUI

/// What has to be read before it is decided on, in a box that scrolls, and the word that its end came into sight.
struct FactBox: View {
    let facts: [Fact]
    let endShown: @MainActor () -> Void

    private static let space = "facts"

    var body: some View {
        GeometryReader { box in
            ScrollView(.vertical) {
                VStack(alignment: .leading, spacing: 0) {
                    FactGrid(facts: facts)
                        .frame(maxWidth: .infinity, alignment: .leading)
                    EndMark(boxHeight: box.size.height, space: FactBox.space, shown: endShown)
                }
                .padding(8)
            }
            .coordinateSpace(name: FactBox.space)
        }
        .frame(minHeight: 96, idealHeight: 220)
        .background(Color(nsColor: .textBackgroundColor))
        .overlay { RoundedRectangle(cornerRadius: 5).strokeBorder(Color(nsColor: .separatorColor)) }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text("What would change"))
    }
}
