/// When the app is in the Dock and in the menu bar (spec §2, §16). If the bridge or a link started
/// it, it shows nothing until it has a window or a question. If the user opened it, it behaves
/// normally for the rest of the run.
public struct Presence: Equatable, Sendable {
    public enum Start: Equatable, Sendable {
        case byHand
        /// As a login item: in the menu bar, and no window opens.
        case atLogin
        /// A `sallyport:` link. The bridge uses one too.
        case byLink
    }

    public enum Window: Hashable, Sendable {
        /// `desk`: all that waits for the person. `prompt`: the confirmation of the app's own
        /// change.
        case settings, firstRun, desk, notice, prompt
    }

    public enum Event: Equatable, Sendable {
        case opened(Window)
        case closed(Window)
        /// How many wait for the person.
        case waiting(Int)
        /// The user opened the app: in Finder, by its Dock icon, or a window from its menu.
        case openedByHand
        case launchedAtLogin
        /// The user dragged the item out of the menu bar. It stays out for this run.
        case removedFromMenuBar
    }

    public struct Shown: Equatable, Sendable {
        public let dock: Bool
        public let menuBar: Bool
    }

    public private(set) var wasOpenedByHand: Bool
    public private(set) var windows: Set<Window> = []
    private var waiting = 0
    private var wasLaunchedAtLogin: Bool
    private var isRemovedFromMenuBar = false

    public init(start: Start) {
        wasOpenedByHand = start == .byHand
        wasLaunchedAtLogin = start == .atLogin
    }

    public mutating func handle(_ event: Event) {
        switch event {
        case .opened(let window):
            windows.insert(window)
            // Only the user opens these.
            if window == .settings || window == .firstRun { wasOpenedByHand = true }
        case .closed(let window): windows.remove(window)
        case .waiting(let count): waiting = count
        case .openedByHand: wasOpenedByHand = true
        case .launchedAtLogin: wasLaunchedAtLogin = true
        // If it was hidden anyway, nobody dragged it.
        case .removedFromMenuBar: isRemovedFromMenuBar = shown.menuBar || isRemovedFromMenuBar
        }
    }

    public var shown: Shown {
        let hasWindow = !windows.isEmpty
        let isInMenuBar = wasOpenedByHand || wasLaunchedAtLogin || hasWindow || waiting > 0
        return Shown(dock: wasOpenedByHand || hasWindow, menuBar: isInMenuBar && !isRemovedFromMenuBar)
    }
}
