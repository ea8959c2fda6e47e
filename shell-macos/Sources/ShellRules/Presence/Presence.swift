/// When the app is in the Dock and in the menu bar (spec §2, §16). Started by the bridge or a link
/// it shows nothing anywhere until it has a window or a question; opened by the user it behaves
/// normally for the rest of that run.
public struct Presence: Equatable, Sendable {
    public enum Start: Equatable, Sendable {
        case byHand
        /// As a login item: in the menu bar, and no window opens.
        case atLogin
        /// A `sallyport:` link, which is how the bridge starts it too.
        case byLink
    }

    public enum Window: Hashable, Sendable {
        /// `confirmation`: what another shell asks; `prompt`: what the app's own change asks first.
        /// `requests`: what AI clients were refused and wait for.
        case settings, firstRun, pairing, question, notice, confirmation, prompt, requests
    }

    public enum Event: Equatable, Sendable {
        case opened(Window)
        case closed(Window)
        /// How many questions wait, drawn or not.
        case questionsWaiting(Int)
        /// The user opened the app: in Finder, by its Dock icon, or a window from its menu.
        case openedByHand
        case launchedAtLogin
        /// The user has dragged the item out of the menu bar: it stays out for this run.
        case removedFromMenuBar
    }

    public struct Shown: Equatable, Sendable {
        public let dock: Bool
        public let menuBar: Bool
    }

    public private(set) var wasOpenedByHand: Bool
    public private(set) var windows: Set<Window> = []
    private var questionsWaiting = 0
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
            // Nothing but the user's hand opens these.
            if window == .settings || window == .firstRun { wasOpenedByHand = true }
        case .closed(let window): windows.remove(window)
        case .questionsWaiting(let count): questionsWaiting = count
        case .openedByHand: wasOpenedByHand = true
        case .launchedAtLogin: wasLaunchedAtLogin = true
        // Told of its going while it is hidden anyway, nobody has dragged it.
        case .removedFromMenuBar: isRemovedFromMenuBar = shown.menuBar || isRemovedFromMenuBar
        }
    }

    public var shown: Shown {
        let hasWindow = !windows.isEmpty
        let isInMenuBar = wasOpenedByHand || wasLaunchedAtLogin || hasWindow || questionsWaiting > 0
        return Shown(dock: wasOpenedByHand || hasWindow, menuBar: isInMenuBar && !isRemovedFromMenuBar)
    }
}
