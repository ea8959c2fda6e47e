/// What each item of the menu does.
extension ShellState {
    mutating func chose(_ action: MenuContent.Action) -> [ShellEffect] {
        switch action {
        case .showQuestions:
            guard confirmations.current != nil else { return [.showWindow(.question)] }
            return [.showWindow(.confirmation)] + (questions.current == nil ? [] : [.showWindow(.question)])
        case .showRequests: return showRequests
        case .showPairing: return [.showWindow(.pairing)]
        case .explain: return [.tell(explanation.joined(separator: "\n\n"))]
        case .pause: return [.pause]
        case .resume: return [.resume]
        case .startDaemon: return wantDaemon()
        case .connectClient where isPassing, .getStarted where isPassing: return [.tell(BundlePlace.moveSentence)]
        case .getStarted: return [.showWindow(.firstRun)]
        case .connectClient: return [.showConnectClient]
        case .openSettings: return [.showSettings(.connections)]
        case .showActivity: return [.showSettings(.activity)]
        case .quit: return [.quit]
        }
    }
}
