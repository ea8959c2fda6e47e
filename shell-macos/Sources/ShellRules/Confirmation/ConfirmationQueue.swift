/// Every confirmation that waits, oldest first: one is drawn at a time, and an open one is never replaced.
public struct ConfirmationQueue: Equatable, Sendable {
    public private(set) var sheets: [ConfirmationSheet] = []

    public init() {}

    /// The one to draw.
    public var current: ConfirmationSheet? { sheets.first }

    /// Those that still take an answer.
    public var pendingCount: Int { sheets.count { $0.deciding.ending == nil } }

    /// Each once: one may come with the list and be pushed as well.
    /// - Returns: whether it is a new one.
    public mutating func add(_ view: ConfirmationView, at now: Moment) -> Bool {
        guard !sheets.contains(where: { $0.id == view.id }) else { return false }
        sheets.append(ConfirmationSheet(view, at: now))
        dropEnded(at: now)
        return true
    }

    public mutating func handle(_ event: ConfirmationSheet.Event, for id: String, at now: Moment) -> ConfirmationSheet.Effect? {
        guard let index = sheets.firstIndex(where: { $0.id == id }) else { return nil }
        let effect = sheets[index].handle(event, at: now)
        dropEnded(at: now)
        return effect
    }

    public mutating func connectionLost(at now: Moment) {
        for id in sheets.map(\.id) { _ = handle(.connectionLost, for: id, at: now) }
    }

    /// One that has ended otherwise than here says so for as long as none waits behind it.
    private mutating func dropEnded(at now: Moment) {
        let drawn = sheets.first?.id
        sheets.removeAll(where: \.isOver)
        let alive = sheets.filter { $0.deciding.ending == nil }
        sheets = alive.isEmpty ? Array(sheets.prefix(1)) : alive
        // The next one stands where a click may still be meant for the one before.
        if !sheets.isEmpty, sheets[0].id != drawn { _ = sheets[0].handle(.cameToFront, at: now) }
    }
}
