import Foundation

/// `Contents/MacOS/sallyportd`, which launchd and the bridge start. It replaces itself with the
/// bundle's Node and the daemon's code and keeps its process id. It is a program, not a script,
/// because macOS names a background process by the program's signature. It decides nothing.

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

// Node reads these variables before the daemon's first line. The program that starts us must not
// inject code through them.
for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("NODE_") || name.hasPrefix("DYLD_") { unsetenv(name) }
// As in shared/no-debugger.ts: SIGUSR1 would open Node's debugger before the daemon's first line.
// This address can't be bound, so the debugger doesn't open.
let noDebugger = "--inspect-port=192.0.2.1:9229"
var words = ([node, noDebugger, code] + CommandLine.arguments.dropFirst()).map { strdup($0) } + [nil]
execv(node, &words)
fail("\(node) could not be run (\(String(cString: strerror(errno))))")
