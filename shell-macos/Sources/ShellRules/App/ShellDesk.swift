/// What waits for the person: who is told of it, and when its window opens and closes.
extension ShellState {
    /// Changes the desk, and tells what follows from it.
    /// - Parameter isNews: false if requests waited before the app came, so nobody is told of them.
    mutating func deskChanged(
        at now: Moment, isNews: Bool = true, _ change: (inout DeskList) -> AskSheet.Effect?
    ) -> [ShellEffect] {
        let former = desk
        var effects = change(&desk).map { [ShellEffect.sheet(id: former.sheet?.id ?? "", $0)] } ?? []
        presence.handle(.waiting(desk.asks.count))
        for view in desk.asks where view.pairing == nil && !former.asks.contains(where: { $0.id == view.id }) {
            if view.waits {
                effects.append(.notice(.asking(view)))
            } else if isNews {
                effects.append(.noticeIfWanted(.asking(view)))
            }
        }
        let told = UserNotice.ids(of: desk.asks)
        let gone = UserNotice.ids(of: former.asks).filter { !told.contains($0) }
        return effects + gone.map { .notice(.withdraw(id: $0)) } + windowChanged(from: former)
    }

    private func windowChanged(from former: DeskList) -> [ShellEffect] {
        guard let sheet = desk.sheet else { return former.isWanted && !desk.isWanted ? [.closeWindow(.desk)] : [] }
        var effects: [ShellEffect] = []
        let uncounted = sheet.uncounted.filter { former.sheet?.uncounted.contains($0) != true }
        if !uncounted.isEmpty { effects.append(.sheet(id: sheet.id, .open(Command.DeskOpen(ids: uncounted)))) }
        // The person has just opened a link. Any other comes unasked, and finds a window if one was
        // drawn before it.
        if desk.choosable.contains(where: { ask in ask.pairing != nil && !former.choosable.contains { $0.id == ask.id } }) {
            return effects + [.showWindow(.desk)]
        }
        guard sheet.id != former.sheet?.id else { return effects }
        return former.sheet == nil || former.sheet?.deciding.ending != nil ? effects + [.showUnasked] : effects
    }

    mutating func told(_ change: DeskChange, at now: Moment) -> [ShellEffect] {
        return deskChanged(at: now) { desk in
            if let ended = change.ended { desk.end(ended.id, ended.because, at: now) }
            if let asked = change.asked { desk.add([asked], at: now) }
            return nil
        }
    }

    mutating func showDesk(at now: Moment) -> [ShellEffect] {
        let effects = deskChanged(at: now) { desk in
            desk.show(at: now)
            return nil
        }
        return effects.filter { $0 != .showUnasked && $0 != .showWindow(.desk) } + [.showWindow(.desk)]
    }

    /// True for a notification whose subject still waits. It is posted while the window is not in
    /// sight.
    public func isNews(_ id: String) -> Bool { UserNotice.ids(of: desk.asks).contains(id) }
}

/// Everything that a shell asks first on a new connection.
public struct ShellAttachment: Equatable, Sendable {
    public var asks: [AskView]
    /// False if the daemon asks nobody here.
    public var isAsked = true
    public var status: DaemonStatus
}

extension ControlClient {
    /// For `ShellEffect.attach`. `.attachment` follows.
    /// - Throws: `Failure`
    public func attach() async throws -> ShellAttachment {
        let attached = try await ask(Command.DeskAttach(answers: true))
        // An old daemon lacks this command, and the app restarts it.
        _ = try? await ask(Command.ChangesFollow())
        return ShellAttachment(asks: attached.asks, isAsked: attached.attached, status: try await ask(Command.Status()))
    }

    /// Whether the person wants notifications of requests: the setting `requests.notify`.
    public func mayTellOfRequests() async -> Bool {
        (try? await ask(Command.SettingsGet(key: "requests.notify")))?.value != .boolean(false)
    }
}
