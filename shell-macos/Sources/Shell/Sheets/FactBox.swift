import ShellRules
import SwiftUI

/// What would change, to be read to its end.
struct FactBox: View {
    let facts: [Fact]
    let endShown: @MainActor () -> Void

    var body: some View {
        ReadingBox(label: localized("What would change"), idealHeight: 220, endShown: endShown) {
            FactGrid(facts: facts)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
    }
}
