import AppKit
import ShellRules

/// Receives what AppKit tells the app: its launch, links, a click on its Dock icon, and the request
/// to quit.
@MainActor
final class AppDelegate: NSObject, NSApplicationDelegate {
    private(set) lazy var model = ShellModel()
    /// The links that come before the launch is finished; nil afterwards.
    private var launchLinks: [String]? = []

    /// AppKit hands over the links of a launch before it says that the launch is finished. The app
    /// answers links from here on.
    func applicationWillFinishLaunching(_ notification: Notification) {
        NSApplication.shared.setActivationPolicy(.accessory)
        model.notices.listen()
    }

    func application(_ application: NSApplication, open urls: [URL]) {
        let links = urls.map(\.absoluteString)
        if launchLinks == nil { open(links) } else { launchLinks? += links }
    }

    func applicationDidFinishLaunching(_ notification: Notification) {
        let links = launchLinks ?? []
        launchLinks = nil
        model.start(Presence.Start(links: links.count, isAtLogin: SystemEvents.isLaunchAtLogin))
        open(links)
    }

    private func open(_ links: [String]) {
        for link in links { model.send(.opened(address: link)) }
    }

    /// A person clicked the Dock icon, or opened the app again in Finder.
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
