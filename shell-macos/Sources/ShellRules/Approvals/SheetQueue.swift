/// All waiting sheets of one kind, oldest first. One is drawn at a time, and nothing replaces an
/// open one.
public struct SheetQueue<View: AskedView>: Equatable, Sendable {
    public typealias Sheet = AnswerSheet<View>
    public private(set) var sheets: [Sheet] = []

    public init() {}

    /// The sheet to draw.
    public var current: Sheet? { sheets.first }

    /// The number of sheets that still take an answer.
    public var pendingCount: Int { sheets.count { $0.deciding.ending == nil } }

    /// Adds each once. The same one may come with the list and as a push.
    /// - Returns: whether it is new.
    public mutating func add(_ view: View, at now: Moment) -> Bool {
        guard !sheets.contains(where: { $0.id == view.id }) else { return false }
        sheets.append(Sheet(view, at: now))
        dropEnded(at: now)
        return true
    }

    public mutating func handle(_ event: Sheet.Event, for id: String, at now: Moment) -> Sheet.Effect? {
        guard let index = sheets.firstIndex(where: { $0.id == id }) else { return nil }
        let effect = sheets[index].handle(event, at: now)
        dropEnded(at: now)
        return effect
    }

    func waits(_ id: String) -> Bool { sheets.contains { $0.id == id && $0.deciding.ending == nil } }

    /// - Returns: the ids of those that waited.
    mutating func connectionLost(at now: Moment) -> [String] {
        let waiting = sheets.map(\.id).filter(waits)
        for id in waiting { _ = handle(.connectionLost, for: id, at: now) }
        return waiting
    }

    /// A sheet that ended elsewhere says so until another one waits behind it.
    private mutating func dropEnded(at now: Moment) {
        let drawn = sheets.first?.id
        sheets.removeAll(where: \.deciding.isOver)
        let alive = sheets.filter { $0.deciding.ending == nil }
        sheets = alive.isEmpty ? Array(sheets.prefix(1)) : alive
        // A click may still be meant for the former sheet.
        if !sheets.isEmpty, sheets[0].id != drawn { _ = sheets[0].handle(.cameToFront, at: now) }
    }
}
