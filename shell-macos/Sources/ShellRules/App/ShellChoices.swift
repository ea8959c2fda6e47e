/// What each item of the menu does.
extension ShellState {
    mutating func chose(_ action: MenuContent.Action, at now: Moment) -> [ShellEffect] {
        switch action {
        case .showDesk: return showDesk(at: now)
        case .explain: return [.tell(explanation.joined(separator: "\n\n"))]
        case .pause: return [.pause]
        case .resume: return [.resume]
        case .startDaemon: return wantDaemon()
        case .connectClient where isPassing, .getStarted where isPassing: return [.tell(BundlePlace.moveSentence)]
        case .getStarted: return [.showWindow(.firstRun)]
        case .connectClient: return [.showConnectClient]
        case .openSettings: return [.showSettings(.connections)]
        case .showActivity: return [.tell(MenuContent.activitySentence)]
        case .quit: return [.quit]
        }
    }
}
