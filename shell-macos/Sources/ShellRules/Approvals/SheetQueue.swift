/// A sheet that takes its turn among others of its kind.
public protocol QueuedSheet: Equatable, Identifiable, Sendable where ID == String {
    associatedtype Subject: Identifiable where Subject.ID == String
    associatedtype Event: QueuedSheetEvent
    associatedtype Effect

    var deciding: Deciding { get }
    init(_ subject: Subject, at now: Moment)
    mutating func handle(_ event: Event, at now: Moment) -> Effect?
}

/// What the queue itself has to tell a sheet.
public protocol QueuedSheetEvent {
    static var cameToFront: Self { get }
    static var connectionLost: Self { get }
}

/// Every sheet of a kind that waits, oldest first: one is drawn at a time, and an open one is never
/// replaced.
public struct SheetQueue<Sheet: QueuedSheet>: Equatable, Sendable {
    public private(set) var sheets: [Sheet] = []

    public init() {}

    /// The one to draw.
    public var current: Sheet? { sheets.first }

    /// Those that still take an answer.
    public var pendingCount: Int { sheets.count { $0.deciding.ending == nil } }

    /// Each once: one may come with the list and be pushed as well.
    /// - Returns: whether it is a new one.
    public mutating func add(_ subject: Sheet.Subject, at now: Moment) -> Bool {
        guard !sheets.contains(where: { $0.id == subject.id }) else { return false }
        sheets.append(Sheet(subject, at: now))
        dropEnded(at: now)
        return true
    }

    public mutating func handle(_ event: Sheet.Event, for id: String, at now: Moment) -> Sheet.Effect? {
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
        sheets.removeAll(where: \.deciding.isOver)
        let alive = sheets.filter { $0.deciding.ending == nil }
        sheets = alive.isEmpty ? Array(sheets.prefix(1)) : alive
        // The next one stands where a click may still be meant for the one before.
        if !sheets.isEmpty, sheets[0].id != drawn { _ = sheets[0].handle(.cameToFront, at: now) }
    }
}
