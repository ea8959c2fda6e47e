/// What each item of the menu does.
extension ShellState {
    mutating func chose(_ action: MenuContent.Action) -> [ShellEffect] {
        switch action {
        case .showQuestions:
            guard confirmations.current != nil else { return [.showWindow(.question)] }
            return [.showWindow(.confirmation)] + (questions.current == nil ? [] : [.showWindow(.question)])
        case .showRequests: return showRequests
        case .showPairing: return [.showWindow(.pairing)]
        case .pause: return [.pause]
        case .resume: return [.resume]
        case .startDaemon: return wantDaemon()
        case .connectClient where isPassing: return [.tell(BundlePlace.moveSentence)]
        case .connectClient: return [.showConnectClient]
        case .openSettings: return [.showSettings(.connections)]
        case .showActivity: return [.showSettings(.activity)]
        case .quit: return [.quit]
        }
    }
}
