/// All that waits for the person (spec §12), in one list, and the one card that is drawn of it.
/// Nothing that comes replaces a card that takes an answer. It draws nothing.
public struct DeskList: Equatable, Sendable {
    /// Those that take an answer, in the order in which they came.
    public private(set) var asks: [AskView] = []
    /// Nil while nothing is chosen.
    public private(set) var sheet: AskSheet?
    /// What became of the last answer to requests. A sentence, escaped.
    public private(set) var outcome: String?
    /// Those of the list, in the order in which they came into it. What has ended stays in its
    /// place while the window is open, so that no row moves under a click.
    private(set) var listed: [AskView] = []
    /// A person wants to see the list. Without that the window is there for the card alone.
    private var isAskedFor = false

    public enum Event: Equatable, Sendable {
        case ticked(id: String, Bool)
        case tickedAll(Bool)
        /// The window was closed, or is to be. What is in it still waits.
        case left
    }

    public init() {}

    /// The window is open.
    public var isWanted: Bool { sheet != nil || isAskedFor && (!asks.isEmpty || outcome != nil) }

    /// A pairing waits unseen behind another one.
    var choosable: [AskView] { asks.filter { $0.pairing?.hasTurn != false } }
    /// Nobody waits: their clients send them again.
    var requests: [AskView] { asks.filter { !$0.waits } }

    /// New ones, or changed ones.
    mutating func add(_ views: [AskView], at now: Moment) {
        defer { list() }
        for view in views {
            guard let place = asks.firstIndex(where: { $0.id == view.id }) else {
                asks.append(view)
                continue
            }
            asks[place] = view
            _ = sheet?.handle(.opened([view]), at: now)
        }
        drawNext(at: now)
    }

    mutating func end(_ id: String, _ reason: WithdrawalReason, at now: Moment) {
        defer { list() }
        asks.removeAll { $0.id == id }
        if let sheet, sheet.ids.contains(id) {
            // The answer to all of them tells what became of each.
            if sheet.ids.count == 1 || !sheet.deciding.isSent { _ = self.sheet?.handle(.withdrawn(reason), at: now) }
        }
        drawNext(at: now)
    }

    mutating func connectionLost(at now: Moment) {
        defer { list() }
        asks = []
        _ = sheet?.handle(.connectionLost, at: now)
    }

    /// A person asks for the list. One alone is chosen at once.
    mutating func show(at now: Moment) {
        defer { list() }
        (isAskedFor, outcome) = (true, nil)
        drawNext(at: now)
        if sheet == nil, asks.count == 1 { draw(choosable, at: now) }
    }

    mutating func handle(_ event: Event, at now: Moment) {
        guard sheet?.deciding.isSent != true else { return }
        defer { list() }
        switch event {
        case .ticked(let id, let isOn):
            guard let ask = choosable.first(where: { $0.id == id }) else { return }
            let others = sheet?.isRequest == true ? sheet?.ids ?? [] : []
            // Only requests of clients that ask again are answered together.
            if !ask.waits {
                choose(isOn ? others + [id] : others.filter { $0 != id }, at: now)
            } else if isOn {
                draw([ask], at: now)
            }
        case .tickedAll(let isOn): choose(isOn ? requests.map(\.id) : [], at: now)
        case .left:
            (isAskedFor, outcome, sheet) = (false, nil, nil)
            drawNext(at: now)
        }
    }

    /// - Parameter id: of the card that the event is for.
    mutating func handle(_ event: AskSheet.Event, for id: String, at now: Moment) -> AskSheet.Effect? {
        defer { list() }
        // It may have been opened for a card that held fewer of them.
        if case .opened(let views) = event {
            asks = asks.map { ask in views.first { $0.id == ask.id } ?? ask }
            return sheet?.handle(event, at: now)
        }
        if case .notOpened = event, sheet?.ids.contains(id) == true { return sheet?.handle(event, at: now) }
        guard sheet?.id == id else { return nil }
        let isOver = sheet?.deciding.ending != nil
        let effect = sheet?.handle(event, at: now)
        if let sheet, sheet.deciding.isOver { close(sheet, wasOver: isOver, at: now) }
        return effect
    }

    /// - Parameter wasOver: its end was read, and it was closed after that.
    private mutating func close(_ over: AskSheet, wasOver: Bool, at now: Moment) {
        // Nobody is asked a second time about what they closed. A request goes on waiting.
        let settled = over.isRequest ? over.settled : Set(over.ids)
        asks.removeAll { settled.contains($0.id) }
        if over.isRequest, over.outcome == nil, !wasOver { isAskedFor = false }
        (sheet, outcome) = (nil, over.outcome)
        drawNext(at: now)
    }

    private mutating func list() {
        if !isWanted { listed = [] }
        listed = listed.map { row in asks.first { $0.id == row.id } ?? row }
        listed += choosable.filter { ask in !listed.contains { $0.id == ask.id } }
    }

    private mutating func choose(_ ids: [String], at now: Moment) {
        draw(requests.filter { ids.contains($0.id) }, at: now)
        drawNext(at: now)
    }

    private mutating func draw(_ views: [AskView], at now: Moment) {
        if views.map(\.id) != sheet?.ids || sheet?.deciding.ending != nil { sheet = views.isEmpty ? nil : AskSheet(views, at: now) }
        outcome = nil
    }

    /// A card that has ended says so until another one has somebody waiting. Requests are drawn
    /// only for a person that chooses them.
    private mutating func drawNext(at now: Moment) {
        // The daemon tells no end of a pairing: its shell has its time.
        asks.removeAll {
            $0.pairing != nil && $0.id != sheet?.id && Countdown(until: Instant.date($0.expiresAt), at: now.wall).isOver
        }
        if let sheet, !sheet.mayGiveWay(at: now) { return }
        let drawn = sheet?.deciding.ending == nil ? sheet?.id : nil
        if let next = choosable.first(where: { $0.waits && $0.id != drawn }) { sheet = AskSheet([next], at: now) }
    }
}

extension AskSheet {
    /// A sent answer waits for its own.
    fileprivate func mayGiveWay(at now: Moment) -> Bool {
        deciding.ending != nil || deciding.countdown(at: now).isOver && !deciding.isSent
    }
}
