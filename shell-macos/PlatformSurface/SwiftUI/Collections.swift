// SwiftUI: forms, sections, tabs, rows for each. Declarations only.
// swift-format-ignore-file
import Foundation

// doc: struct Form<Content> where Content : View
public struct Form<Content> where Content: View {
    package let content: Content
    // doc: init(@ViewBuilder content: () -> Content)
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
extension Form: View { public var body: Never { fatalError() } }

// doc: struct Section<Parent, Content, Footer>
public struct Section<Parent, Content, Footer> {
    let parts: [any View]
}
extension Section: View where Parent: View, Content: View, Footer: View {
    // doc: init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer)
    nonisolated public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) { parts = [header(), content(), footer()] }
    public var body: Never { fatalError() }
}
extension Section where Parent == EmptyView, Content: View, Footer: View {
    // doc: init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer)
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) { parts = [content(), footer()] }
}
extension Section where Parent: View, Content: View, Footer == EmptyView {
    // doc: init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent)
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) { parts = [header(), content()] }
}
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    // doc: init(@ViewBuilder content: () -> Content)
    nonisolated public init(@ViewBuilder content: () -> Content) { parts = [content()] }
}
extension Section where Parent == Text, Content: View, Footer == EmptyView {
    // doc: init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content)
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { parts = [Text(titleKey), content()] }
}

// doc: struct LabeledContent<Label, Content>
public struct LabeledContent<Label, Content> {
    let parts: [any View]
}
extension LabeledContent: View where Label: View, Content: View {
    // doc: nonisolated init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label)
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { parts = [label(), content()] }
    public var body: Never { fatalError() }
}
extension LabeledContent where Label == Text, Content: View {
    // doc: init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content)
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { parts = [Text(titleKey), content()] }
}

// doc: struct ForEach<Data, ID, Content> where Data : RandomAccessCollection, ID : Hashable
public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
    let rows: () -> [(AnyHashable, any View)]
}
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    // sdk: init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        rows = { data.map { (AnyHashable($0.id), content($0)) } }
    }
}
extension ForEach where Content: View {
    // sdk: init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    nonisolated public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        rows = { data.map { (AnyHashable($0[keyPath: id]), content($0)) } }
    }
}
extension ForEach: View where Content: View { public var body: Never { fatalError() } }

// doc: struct TimelineView<Schedule, Content> where Schedule : TimelineSchedule
public struct TimelineView<Schedule, Content> where Schedule: TimelineSchedule {
    let content: (Date) -> any View
    // doc: struct Context
    public struct Context {
        // doc: let date: Date
        public let date: Date
    }
}
extension TimelineView: View where Content: View {
    // usr: s:7SwiftUI12TimelineViewVA2A0D0R_rlE_7contentACyxq_Gx_q_AC7ContextVyAA011EveryMinuteC8ScheduleVs5NeverO_Gctcfc
    // doc: nonisolated init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content)
    nonisolated public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {
        self.content = { content(TimelineViewDefaultContext(date: $0)) }
    }
    public var body: Never { fatalError() }
}
// doc: typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context
public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context
// doc: protocol TimelineSchedule
public protocol TimelineSchedule {}
// doc: struct EveryMinuteTimelineSchedule
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {}
// usr: s:7SwiftUI24PeriodicTimelineScheduleV
// doc: struct PeriodicTimelineSchedule
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {}
extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    // usr: s:7SwiftUI16TimelineSchedulePA2A08PeriodiccD0VRszrlE8periodic4from2byAE10Foundation4DateV_SdtFZ
    // doc: static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule { PeriodicTimelineSchedule() }
}
