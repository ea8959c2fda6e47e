import ShellRules
import SwiftUI

/// What has to be read before it is decided on, in a box that scrolls, and the word that its end
/// came into sight. The mark stands behind all of it, so that it can be seen only after that.
struct ReadingBox<Content: View>: View {
    /// For VoiceOver.
    let label: String
    let idealHeight: CGFloat
    let endShown: @MainActor () -> Void
    @ViewBuilder let content: Content

    private let space = "box"

    var body: some View {
        GeometryReader { box in
            ScrollView(.vertical) {
                // Lazy: a statement may have very many rows.
                LazyVStack(alignment: .leading, spacing: 2) {
                    content
                    EndMark(boxHeight: box.size.height, space: space, shown: endShown)
                }
                .padding(8)
            }
            .coordinateSpace(name: space)
        }
        .frame(minHeight: 96, idealHeight: idealHeight)
        .background(Color(nsColor: .textBackgroundColor))
        .overlay { RoundedRectangle(cornerRadius: 5).strokeBorder(Color(nsColor: .separatorColor)) }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: label))
    }
}

/// Says when it came into sight.
private struct EndMark: View {
    let boxHeight: CGFloat
    let space: String
    let shown: @MainActor () -> Void

    var body: some View {
        GeometryReader { mark in
            let isInSight = StatementRow.isEndInSight(markBottom: mark.frame(in: .named(space)).maxY, boxHeight: boxHeight)
            Color.clear
                .onAppear { if isInSight { shown() } }
                .onChange(of: isInSight) { isInSight in
                    if isInSight { shown() }
                }
        }
        .frame(height: 1)
        .accessibilityHidden(true)
    }
}
