/// A possible state for pictures of the app. The app itself gets its state from events alone.
extension ShellState {
    package init(pictured link: LinkState, _ status: DaemonStatus?, lists: ShellLists = ShellLists()) {
        self.init(start: .byHand)
        self.link = link
        self.status = status
        self.lists = lists
    }
}
