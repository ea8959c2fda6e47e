// Prints the windows that a process has on the screen, one per line: their numbers, as
// `screencapture -l` takes them. Needs a Mac.
// Usage: swift windows.swift PID
import CoreGraphics
import Foundation

let listed = CGWindowListCopyWindowInfo([.optionOnScreenOnly, .excludeDesktopElements], kCGNullWindowID) as? [[String: Any]] ?? []
for window in listed where (window[kCGWindowOwnerPID as String] as? Int).map(String.init) == CommandLine.arguments.last {
    // The menu bar's item counts as a window too.
    if window[kCGWindowLayer as String] as? Int ?? 0 < 20, let number = window[kCGWindowNumber as String] as? Int { print(number) }
}
