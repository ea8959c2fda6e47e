/// The pairings that this shell has begun. One is drawn. Another waits until the daemon names it.
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
        defer { dropIfOver(at: now) }
        return current?.handle(event, at: now)
    }

    /// The drawn one says so. Those behind it are gone.
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

    /// An ended or expired one stays until another may be drawn. A sent verdict waits for its
    /// answer.
    private func mayGiveWay(at now: Moment) -> Bool {
        guard let deciding = current?.deciding else { return true }
        return !deciding.isSent && (deciding.ending != nil || deciding.countdown(at: now).isOver)
    }
}
