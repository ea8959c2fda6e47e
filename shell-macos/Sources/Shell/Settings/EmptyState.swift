import SwiftUI

/// Fills a list that has no rows.
struct EmptyState: View {
    let symbol: String
    let title: String
    let sentence: String

    var body: some View {
        VStack(spacing: 8) {
            Image(systemName: symbol)
                .font(.largeTitle)
                .accessibilityHidden(true)
            Text(verbatim: title).font(.headline)
            Text(verbatim: sentence)
                .multilineTextAlignment(.center)
        }
        .foregroundStyle(.secondary)
        .padding()
        .frame(maxWidth: 360)
        .accessibilityElement(children: .combine)
    }
}
