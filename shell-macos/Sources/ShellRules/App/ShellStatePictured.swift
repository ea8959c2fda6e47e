/// A state as it may come about, for pictures of the app; the app's own comes about by events
/// alone.
extension ShellState {
    package init(pictured link: LinkState, _ status: DaemonStatus?, lists: ShellLists = ShellLists()) {
        self.init(start: .byHand)
        self.link = link
        self.status = status
        self.lists = lists
    }
}
