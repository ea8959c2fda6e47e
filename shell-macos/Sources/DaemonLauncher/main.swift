import Foundation

/// `Contents/MacOS/sallyportd`, what launchd and the bridge start: becomes the bundle's own Node
/// with the daemon's code. A program and not a script, since macOS names who runs in the background
/// by the program's signature. Decides nothing; keeps its process id.

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("sallyportd could not start: \(sentence).\n".utf8))
    exit(1)
}

guard let executable = Bundle.main.executableURL?.resolvingSymlinksInPath() else { fail("it does not know where it is") }
let contents = executable.deletingLastPathComponent().deletingLastPathComponent()
let node = contents.appendingPathComponent("Helpers/sallyport-node").path
let code = contents.appendingPathComponent("Resources/sallyport/bundle/sallyportd.js").path
for path in [node, code] where !FileManager.default.fileExists(atPath: path) {
    fail("\(path) is missing; install Sallyport again")
}

// Node reads these before any code of the daemon: whoever starts us must not be able to put code
// into it.
for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("NODE_") || name.hasPrefix("DYLD_") { unsetenv(name) }
// As shared/no-debugger.ts: SIGUSR1 would open Node's debugger before the daemon's first line, and
// finds no address to listen on.
let noDebugger = "--inspect-port=192.0.2.1:9229"
var words = ([node, noDebugger, code] + CommandLine.arguments.dropFirst()).map { strdup($0) } + [nil]
execv(node, &words)
fail("\(node) could not be run (\(String(cString: strerror(errno))))")
