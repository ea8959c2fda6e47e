import Foundation

/// The terminal command that is in the bundle, run for what it does without questions. What it says
/// is English, as the daemon's words.
public struct TerminalProgram: Sendable {
    let program: URL
    let environment: [String: String]

    /// - Parameter environment: the app's own; it is told as little of it as the daemon is.
    public init(_ program: URL, environment: [String: String]) {
        self.program = program
        self.environment = DaemonStart.environment(of: environment)
    }

    public struct Ran: Equatable, Sendable {
        public let isDone: Bool
        public let output: String
        /// Beside its answer; where it failed, why.
        public let remarks: String

        public init(isDone: Bool, output: String, remarks: String) {
            (self.isDone, self.output, self.remarks) = (isDone, output, remarks)
        }
    }

    public func run(_ words: [String]) async -> Ran {
        let process = Process()
        let (output, remarks) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = words
        process.environment = environment
        process.currentDirectoryURL = FileManager.default.homeDirectoryForCurrentUser
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = remarks
        do {
            try process.run()
        } catch {
            return Ran(isDone: false, output: "", remarks: error.localizedDescription)
        }
        // Both at once: whoever fills one of them waits until it is read.
        let (outputEnd, remarksEnd) = (output.fileHandleForReading, remarks.fileHandleForReading)
        async let said = TerminalProgram.read(outputEnd)
        async let remarked = TerminalProgram.read(remarksEnd)
        let (saidAll, remarkedAll) = await (said, remarked)
        process.waitUntilExit()
        return Ran(isDone: process.terminationStatus == 0, output: saidAll, remarks: remarkedAll)
    }

    private static func read(_ pipe: FileHandle) async -> String {
        await Task.detached { String(decoding: pipe.readDataToEndOfFile(), as: UTF8.self) }.value
    }
}
