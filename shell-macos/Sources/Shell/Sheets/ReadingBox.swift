import ShellRules
import SwiftUI

/// A box that scrolls, for text that a person must read before a decision. It reports when its end
/// is visible. The mark stands after the whole text, so nobody sees it earlier.
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

/// Reports when it becomes visible.
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

/// The changes, which a person must read to the end.
struct FactBox: View {
    let facts: [Fact]
    let endShown: @MainActor () -> Void

    var body: some View {
        if !facts.isEmpty {
            ReadingBox(label: localized("What would change"), idealHeight: 220, endShown: endShown) {
                FactGrid(facts: facts)
                    .frame(maxWidth: .infinity, alignment: .leading)
            }
        }
    }
}
