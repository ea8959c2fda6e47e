/// What each item of the menu does.
extension ShellState {
    mutating func chose(_ action: MenuContent.Action) -> [ShellEffect] {
        switch action {
        case .showQuestions: return [.showWindow(.question)]
        case .showPairing: return [.showWindow(.pairing)]
        case .pause: return [.pause]
        case .resume: return [.resume]
        case .startDaemon: return wantDaemon()
        case .connectClient: return [.showConnectClient]
        case .openSettings: return [.showSettings(.connections)]
        case .showActivity: return [.showSettings(.activity)]
        case .quit: return [.quit]
        }
    }
}
