import Foundation

/// Runs the bundle's terminal command for tasks without questions. Its output is English, like the
/// daemon's words.
public struct TerminalProgram: Sendable {
    let program: URL
    let environment: [String: String]

    /// - Parameter environment: the app's environment. The command gets the same part of it as the
    ///   daemon.
    public init(_ program: URL, environment: [String: String]) {
        self.program = program
        self.environment = DaemonStart.environment(of: environment)
    }

    public struct Ran: Equatable, Sendable {
        public let isDone: Bool
        public let output: String
        /// What it says beside its answer, or why it failed.
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
        // Reads both at once, as a full pipe blocks the program.
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
