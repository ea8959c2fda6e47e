import ShellRules
import SwiftUI

/// Content that is drawn anew as time passes: a countdown, a button that is dimmed at first.
struct Ticking<Content: View>: View {
    @ViewBuilder let content: @MainActor (_ now: Moment) -> Content
    @State private var start = Date()

    var body: some View {
        TimelineView(.periodic(from: start, by: 0.25)) { context in
            content(Moment(wall: context.date, uptimeSeconds: ProcessInfo.processInfo.systemUptime))
        }
    }
}
