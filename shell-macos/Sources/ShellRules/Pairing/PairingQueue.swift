/// The pairings this shell has begun. One is drawn; one that must wait its turn is not, until the
/// daemon names it.
public struct PairingQueue: Equatable, Sendable {
    public private(set) var current: PairingSheet?
    private var waiting: [PairingView] = []

    public init() {}

    public mutating func add(_ view: PairingView, at now: Moment) {
        waiting.append(view)
        drawNext(at: now)
    }

    /// The daemon says that this one may be drawn.
    public mutating func turn(of id: String, at now: Moment) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].waits = false
        drawNext(at: now)
    }

    public mutating func handle(_ event: PairingSheet.Event, at now: Moment) -> PairingSheet.Effect? {
        guard let effect = current?.handle(event, at: now) else {
            dropIfOver(at: now)
            return nil
        }
        dropIfOver(at: now)
        return effect
    }

    /// The drawn one says so; those behind it are gone with the connection.
    public mutating func connectionLost(at now: Moment) {
        waiting = []
        _ = handle(.connectionLost, at: now)
    }

    public var waitingCount: Int { waiting.count }

    private mutating func dropIfOver(at now: Moment) {
        if current?.deciding.isOver == true { current = nil }
        drawNext(at: now)
    }

    private mutating func drawNext(at now: Moment) {
        guard let index = waiting.firstIndex(where: { !$0.waits }), mayGiveWay(at: now) else { return }
        current = PairingSheet(waiting.remove(at: index), at: now)
    }

    /// One that has ended or run out says so for as long as no other may be drawn; a verdict on its
    /// way is waited for.
    private func mayGiveWay(at now: Moment) -> Bool {
        guard let deciding = current?.deciding else { return true }
        if case .sent = deciding.phase { return false }
        return deciding.ending != nil || deciding.countdown(at: now).isOver
    }
}
