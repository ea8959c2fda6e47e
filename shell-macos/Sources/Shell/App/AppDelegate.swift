import AppKit
import ShellRules

/// What AppKit tells the app: its launch, links, its Dock icon, and that it is to quit.
@MainActor
final class AppDelegate: NSObject, NSApplicationDelegate {
    private(set) lazy var model = ShellModel()
    /// Those that came with the launch, before it was finished.
    private var launchLinks: [String] = []
    private var hasLaunched = false

    /// Links are answered from here on: AppKit hands over those of the launch before it says that
    /// the launch is finished.
    func applicationWillFinishLaunching(_ notification: Notification) {
        NSApplication.shared.setActivationPolicy(.accessory)
        model.notices.listen()
    }

    func application(_ application: NSApplication, open urls: [URL]) {
        let links = urls.map(\.absoluteString)
        guard hasLaunched else {
            launchLinks += links
            return
        }
        for link in links { model.send(.opened(address: link)) }
    }

    func applicationDidFinishLaunching(_ notification: Notification) {
        hasLaunched = true
        model.start(Presence.Start(links: launchLinks.count, isAtLogin: SystemEvents.isLaunchAtLogin))
        for link in launchLinks { model.send(.opened(address: link)) }
        launchLinks = []
    }

    /// Its Dock icon was clicked, or it was opened again in Finder.
    func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows: Bool) -> Bool {
        model.send(.reopened)
        return true
    }

    func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool {
        false
    }

    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply {
        let isMeant = SystemEvents.endsSession
        Task {
            let quits = await model.mayQuit(isMeant: isMeant)
            if quits { await model.stop() }
            sender.reply(toApplicationShouldTerminate: quits)
        }
        return .terminateLater
    }
}
